// Threat: another user of the machine enters the studio instead of its own one.
import Browser
import ChildProcess
import Foundation
import Testing
import TestThreads

@Suite(.waitsForBrowser) struct `A studio that opens the browser` {
  private let folder = FileManager.default.temporaryDirectory.path + "/studio-opened-\(UUID().uuidString)"

  /// The files in the directory for temporary files.
  private func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder + "/temporary")
  }

  // What broke: the address with the token was an argument of the program that opens the browser, and a studio whose
  // terminal was closed left its temporary files behind.
  @Test func `leads it to the address by a file, and removes the file when its terminal is closed`() throws {
    for name in ["temporary", "programs"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // In place of the programs that open files, one that says what it was to open.
    for name in ["xdg-open", "open"] {
      let path = "\(folder)/programs/\(name)"
      try writeScript(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" >'\(folder)/said'\nmv '\(folder)/said' '\(folder)/opened'\n", to: path)
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let original = try Workspaces.lively()
    try FileManager.default.copyItem(atPath: original, toPath: folder + "/chat")
    let studio = try Child(
      [StudioProcess.program, "studio", folder + "/chat", "--open"],
      environment: ["PATH": "\(folder)/programs:\(path)", "TMPDIR": folder + "/temporary"])
    let address = try #require(try studio.line())
    let token = try #require(address.split(separator: "=").last)
    let deadline = Date(timeIntervalSinceNow: Double(Deadline.seconds))
    while !FileManager.default.fileExists(atPath: folder + "/opened"), Date() < deadline { usleep(1_000) }
    let arguments = try String(contentsOfFile: folder + "/opened", encoding: .utf8).split(separator: "\n")
    let file = try #require(arguments.first.map(String.init))
    #expect(arguments.count == 1 && !file.contains(token))
    for (path, mode) in [(file, 0o600), ((file as NSString).deletingLastPathComponent, 0o700)] {
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
    }
    let window = try Browser.shared().context().window()
    try window.visit(URL(fileURLWithPath: file).absoluteString)
    try window.wait(for: "location.pathname === '/chat' && document.querySelector('main') !== null")
    #expect(try !window.evaluate("document.referrer + location.href", as: String.self).contains(token))
    #expect(try files().contains { $0.hasSuffix("studio.html") })
    studio.signal(SIGHUP)
    #expect(studio.wait() == .exit(0))
    #expect(try files() == [])
  }
}
