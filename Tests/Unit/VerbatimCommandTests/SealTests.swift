// A log whose chain was computed anew after a change passes every check but that against seals and witnesses.
import Foundation
import SeededRandom
import Testing

@testable import VerbatimCommand

@Suite struct `Seals on the command line` {
  private let folder = Folder()

  /// Creates a workspace, two keys, and the files of their public halves.
  private func makeWorkspace(seed: Int = 1) throws -> String {
    #expect(verbatim("generate", folder("chat"), "--messages", "40", "--users", "4", "--seed", "\(seed)").code == .done)
    for name in ["seal", "witness"] {
      let made = verbatim("seal-key", folder(name + ".key"), name + ".example")
      #expect(made.code == .done)
      #expect(try made.output == String(contentsOfFile: folder(name + ".key.pub"), encoding: .utf8))
    }
    return folder("chat")
  }

  /// Imports the events of a workspace with another actor of one event; returns the position of that event.
  private func rewrite(_ path: String, to copy: String, _ random: inout SeededRandom) throws -> Int {
    var lines = verbatim("export", path).lines
    let places = lines.indices.filter { lines[$0].contains(#""type":"memberRead.1""#) && lines[$0].contains("actor") }
    let place = try #require(places.randomElement(using: &random))
    let actor = try #require(lines[place].firstRange(of: /"actor":"[a-z]+"/))
    lines[place].replaceSubrange(actor, with: #""actor":"eve""#)
    let input = lines.map { $0 + "\n" }.joined()
    #expect(verbatim("import", copy, "--changed", input: input).code == .done)
    #expect(verbatim("log", "verify", copy).code == .done)
    return place
  }

  private func verify(_ path: String, _ seals: String, _ keys: String...) -> Run {
    let arguments = ["log", "verify", path, "--seals", seals] + keys.flatMap { ["--public-key", folder($0)] }
    return verbatim(arguments, input: [])
  }

  @Test func `a rewritten log is refused, and the first other block named`() throws {
    var random = SeededRandom.printingSeed()
    let chat = try makeWorkspace(seed: random.below(1_000))
    let sealed = verbatim("seal", chat, "--key", folder("seal.key"))
    #expect(sealed.code == .done)
    #expect(sealed.output == verbatim("seal", chat, "--key", folder("seal.key")).output)
    #expect(verify(chat, chat + "/seals", "seal.key.pub").code == .done)
    let changed = try rewrite(chat, to: folder("other"), &random)
    let refused = verify(folder("other"), chat + "/seals", "seal.key.pub")
    #expect(refused.code == .refused)
    let named = try #require(
      refused.output.firstMatch(of: /block of events? ([0-9]+)(?: to ([0-9]+))? is not the one/))
    let first = try #require(Int(named.1))
    let last = try named.2.map { try #require(Int($0)) } ?? first
    #expect((first...last).contains(changed), "\(refused.output)")
    // The signer does not sign it either.
    try FileManager.default.copyItem(atPath: chat + "/seals", toPath: folder("other") + "/seals")
    let unsigned = verbatim("seal", folder("other"), "--key", folder("seal.key"))
    #expect(unsigned.code == .refused)
    #expect(unsigned.errors.contains("is not the one that was sealed on"))
  }

  @Test func `a witness signs what extends the log, and refuses a rewritten one that was sealed anew`() throws {
    var random = SeededRandom.printingSeed()
    let chat = try makeWorkspace()
    let witnessed = folder("witnessed")
    func witness(_ path: String) -> Run {
      verbatim(
        "witness", path, "--public-key", folder("seal.key.pub"), "--key", folder("witness.key"), "--into", witnessed)
    }
    #expect(verbatim("seal", chat, "--key", folder("seal.key")).code == .done)
    #expect(witness(chat).code == .done)
    #expect(verbatim("submit", chat, "--system", "send", "general", "one more").code == .done)
    #expect(verbatim("seal", chat, "--key", folder("seal.key"), "--json").code == .done)
    let signed = witness(chat)
    #expect(signed.code == .done)
    #expect(signed.output.contains("— seal.example ") && signed.output.contains("— witness.example "))
    #expect(witness(chat).output.isEmpty)
    #expect(verify(chat, witnessed, "seal.key.pub", "witness.key.pub").code == .done)
    #expect(verify(chat, chat + "/seals", "seal.key.pub", "witness.key.pub").code == .refused)

    _ = try rewrite(chat, to: folder("other"), &random)
    #expect(verbatim("seal", folder("other"), "--key", folder("seal.key")).code == .done)
    let refused = witness(folder("other"))
    #expect(refused.code == .refused)
    #expect(refused.errors.contains("is not the one that was sealed on"))
    // A witness of the seals alone sees two statements of one signer that contradict each other.
    let contradiction = verbatim(
      "witness", "--seals", folder("other") + "/seals", "--public-key", folder("seal.key.pub"), "--key",
      folder("witness.key"), "--into", witnessed)
    #expect(contradiction.code == .refused)
    #expect(contradiction.errors.contains("contradicts that of position"))
  }

  @Test func `a witness of the seals alone refuses a gap`() throws {
    let chat = try makeWorkspace()
    for number in 1...3 {
      #expect(verbatim("submit", chat, "--system", "send", "general", "\(number)").code == .done)
      #expect(verbatim("seal", chat, "--key", folder("seal.key")).code == .done)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: chat + "/seals").filter { $0.hasSuffix(".seal") }
      .sorted()
    try #require(names.count == 3)
    func witness(_ name: String) -> Run {
      verbatim(
        "witness", "--seals", chat + "/seals/" + name, "--public-key", folder("seal.key.pub"), "--key",
        folder("witness.key"), "--into", folder("witnessed"))
    }
    let other = verbatim(
      "witness", "--seals", chat + "/seals", "--public-key", folder("witness.key.pub"), "--key", folder("witness.key"),
      "--into", folder("witnessed"))
    #expect(other.code == .unable)
    #expect(other.errors.contains("or none of this signer"))
    #expect(witness(names[0]).code == .done)
    let gap = witness(names[2])
    #expect(gap.code == .refused)
    #expect(gap.errors.contains("are missing"))
    #expect(witness(names[1]).code == .done)
    #expect(witness(names[2]).code == .done)
  }

  // What broke: a seal was compared with earlier ones only, so that one in the middle of a later one was signed.
  @Test func `a witness of the seals alone refuses what a later one contradicts, and signs what agrees`() throws {
    let (chat, other) = (try makeWorkspace(), folder("other"))
    func send(_ text: String, to path: String) {
      #expect(verbatim("submit", path, "--system", "send", "general", text).code == .done)
    }
    func seal(_ path: String, into seals: String) {
      #expect(verbatim("seal", path, "--key", folder("seal.key"), "--into", seals).code == .done)
    }
    func witness(_ seals: String, into witnessed: String) -> Run {
      verbatim(
        "witness", "--seals", seals, "--public-key", folder("seal.key.pub"), "--key", folder("witness.key"), "--into",
        folder(witnessed))
    }
    seal(chat, into: folder("seals"))
    try FileManager.default.copyItem(atPath: chat, toPath: other)
    try FileManager.default.copyItem(atPath: folder("seals"), toPath: folder("rewritten"))
    send("one", to: chat)
    try FileManager.default.copyItem(atPath: chat, toPath: folder("between"))
    send("two", to: chat)
    seal(chat, into: folder("seals"))
    send("another", to: other)
    seal(other, into: folder("rewritten"))
    #expect(witness(folder("seals"), into: "witnessed").code == .done)
    let refused = witness(folder("rewritten"), into: "witnessed")
    #expect(refused.code == .refused)
    #expect(refused.errors.contains("contradicts that of position"))

    // An older one that agrees, by the list of a newer one.
    try FileManager.default.copyItem(atPath: folder("witnessed"), toPath: folder("agreed"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder("seals")).filter { $0.hasSuffix(".seal") }
    let first = try #require(names.min { ($0.count, $0) < ($1.count, $1) })
    try FileManager.default.createDirectory(atPath: folder("middle"), withIntermediateDirectories: false)
    for name in [first, first.replacing(".seal", with: ".blocks")] {
      try FileManager.default.copyItem(atPath: folder("seals") + "/" + name, toPath: folder("middle") + "/" + name)
    }
    seal(folder("between"), into: folder("middle"))
    #expect(witness(folder("middle"), into: "agreed").code == .done)
    try FileManager.default.removeItem(atPath: folder("agreed") + "/" + first)
    #expect(witness(folder("middle"), into: "agreed").code == .done)
  }

  // What broke: a witness replaced the signatures of another one in its directory, which was all that it remembered.
  @Test func `a witness keeps the signatures of another one, and refuses the seal of another signer`() throws {
    let chat = try makeWorkspace()
    #expect(verbatim("seal-key", folder("second.key"), "second.example").code == .done)
    func witness(_ seals: String, of signer: String, by key: String) -> Run {
      verbatim(
        "witness", chat, "--seals", seals, "--public-key", folder(signer), "--key", folder(key), "--into",
        folder("witnessed"))
    }
    #expect(verbatim("seal", chat, "--key", folder("seal.key")).code == .done)
    for key in ["witness.key", "second.key"] {
      #expect(witness(chat + "/seals", of: "seal.key.pub", by: key).code == .done)
    }
    #expect(verify(chat, folder("witnessed"), "seal.key.pub", "witness.key.pub", "second.key.pub").code == .done)
    #expect(verbatim("seal-key", folder("third.key"), "third.example").code == .done)
    #expect(verbatim("seal", chat, "--key", folder("second.key"), "--into", folder("own")).code == .done)
    let refused = witness(folder("own"), of: "second.key.pub", by: "third.key")
    #expect(refused.code == .unable)
    #expect(refused.errors.contains("has another seal of position"))
    #expect(verify(chat, folder("witnessed"), "seal.key.pub", "witness.key.pub", "second.key.pub").code == .done)
  }

  @Test func `seals that were changed, lost or of another log are named`() throws {
    let chat = try makeWorkspace()
    let other = folder("two")
    #expect(verbatim("generate", other, "--messages", "10", "--users", "3", "--seed", "9").code == .done)
    let sealed = verbatim("seal", chat, "--key", folder("seal.key"))
    let file = folder("one.seal")
    func verified(_ text: String, _ path: String? = nil) throws -> String {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let run = verify(path ?? chat, file, "seal.key.pub")
      #expect(run.code != .done)
      return run.output + run.errors
    }
    #expect(try verified(sealed.output, other).contains("is of the log"))
    #expect(try verified(sealed.output.replacing("time 2", with: "time 3")).contains("that its key did not make"))
    #expect(try verified("").contains("There are no seals"))
    #expect(try verified("Dear all,\n" + sealed.output).contains("is not a seal"))
    #expect(try verified(String(sealed.output.dropLast(3))).contains("is not a seal"))
    try (sealed.output + "\n\n" + sealed.output).write(toFile: file, atomically: true, encoding: .utf8)
    #expect(verify(chat, file, "seal.key.pub").code == .done)
  }

  @Test func `a key that others can read, or that is none, is refused`() throws {
    let chat = try makeWorkspace()
    let key = folder("seal.key")
    #expect(verbatim("seal-key", key, "again.example").errors.contains("seal.key.pub cannot be created (File exists)"))
    try FileManager.default.removeItem(atPath: key + ".pub")
    #expect(verbatim("seal-key", key, "again.example").errors.contains("cannot be used: File exists"))
    #expect(!FileManager.default.fileExists(atPath: key + ".pub"))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key)
    let open = verbatim("seal", chat, "--key", key)
    #expect(open.code == .unable)
    #expect(open.errors.contains("chmod 600"))
    let wrong = verbatim("seal", chat, "--key", folder("witness.key.pub"))
    #expect(wrong.code == .unable)
    #expect(verbatim("seal", chat).code == .misused)
    #expect(verbatim("log", "verify", chat, "--seals", chat).errors.contains("--public-key is missing"))
    #expect(verbatim("seal-key", folder("new"), "a b").code == .misused)
  }

  @Test func `a backup has the seals, and its copy agrees with them`() throws {
    let chat = try makeWorkspace()
    #expect(verbatim("seal", chat, "--key", folder("seal.key")).code == .done)
    #expect(verbatim("backup", chat, folder("backup")).code == .done)
    #expect(verbatim("restore", folder("backup"), folder("restored")).code == .done)
    for path in ["backup", "restored"] {
      #expect(verify(folder(path), folder(path) + "/seals", "seal.key.pub").code == .done)
    }
  }
}
