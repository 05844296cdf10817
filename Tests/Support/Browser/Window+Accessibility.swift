// The accessibility of a window's page, as axe checks it.
import Foundation

extension Window {
  /// Returns the violations of axe's rules in the whole document, one line for each element.
  ///
  /// All rules are checked, also those that axe leaves out unless told: the experimental ones and those of level AAA.
  /// The page is not changed, and its content security policy stays in force.
  package func violations(except rules: Set<String> = []) throws -> [String] {
    let frames: Frames = try page.ask("Page.getFrameTree")
    let world: World = try page.ask(
      "Page.createIsolatedWorld", ["frameId": frames.frameTree.frame.id, "worldName": "accessibility"])
    let checker = try axe.get()
    let _: Bool = try page.evaluate(checker + "\n;true", inWorld: world.executionContextId)
    let rules = String(decoding: try JSONEncoder().encode(rules.sorted()), as: UTF8.self)
    return try page.evaluate("(\(checking))(\(rules))", inWorld: world.executionContextId, within: 120)
  }
}

/// The script of axe. `Tools/setup --checks` installs it into a virtual environment of Python.
private let axe = Result { try checker(in: packages) }

/// The packages of Python that tests use, in the directory of builds.
private let packages = URL(filePath: #filePath).resolvingSymlinksInPath()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: ".build/checks-venv/lib")

/// Returns the script of axe from the directory of a virtual environment, which is named for the version of Python.
func checker(in packages: URL) throws -> String {
  let versions = (try? FileManager.default.contentsOfDirectory(at: packages, includingPropertiesForKeys: nil)) ?? []
  let files = versions.map { $0.appending(path: "site-packages/axe_core_python/axe.min.js") }
  for file in files {
    if let script = try? String(contentsOf: file, encoding: .utf8) { return script }
  }
  throw Browser.Failure.checkerMissing(path: packages.path)
}

private struct Frames: Decodable {
  struct Tree: Decodable { let frame: Frame }
  struct Frame: Decodable { let id: String }

  let frameTree: Tree
}

private struct World: Decodable { let executionContextId: Int }

private let checking = """
  async exceptions => {
    const values = axe.getRules().map(rule => rule.ruleId).filter(rule => !exceptions.includes(rule))
    const { violations } = await axe.run(document, { runOnly: { type: 'rule', values }, resultTypes: ['violations'] })
    const line = text => text.replace(/\\s+/g, ' ').trim()
    return violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(node => `${id} (${impact}) at ${node.target.join(' ')}: ${line(node.failureSummary)}`))
  }
  """
