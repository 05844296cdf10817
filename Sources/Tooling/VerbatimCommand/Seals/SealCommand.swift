// `verbatim seal` and `verbatim seal-key`: signs the end of a log, and creates the key for it.
internal import Digests
internal import Errors
internal import EventLog
internal import EventLogPostgres
internal import JSONLines
internal import Verbatim

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The command that seals a log.
struct SealCommand: Command {
  static let name = "seal"
  static let summary = "Signs the end of a workspace or a log, so that a later rewrite of it can be proved."
  static let details = """
    The seal states the identity of the log, a position, the chain hash there and the time, and is printed.
    Keep it where those who can write the log cannot: print it, mail it, publish it. It is also stored in
    DIR/seals, with the list of the blocks since the seal before, by which the first block that differs is
    found. If nothing was appended since the last seal, that one is printed again. Nothing is signed if the
    log does not have the events that were sealed before; the exit code is then 1.

    `verbatim verify DIR --seals SEALS --public-key KEY` compares the log with seals.
    """
  static let examples = [
    "verbatim seal chat --key seal.key", "verbatim seal chat --key seal.key --every 3600",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the workspace or the log, or its address on a server.", \.path),
      .option("key", "FILE", "The file of the signing key; required.", \.key),
      .option("into", "DIR", "The directory for the seals; required for a log on a server.", \.directory),
      .option("every", "N", "Seals every N seconds until it is interrupted.", \.interval),
      .flag("json", "Reports each seal as one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var key: String?
  var directory: String?
  var interval: Int?
  var isJSON = false

  func contradiction() -> String? {
    if key == nil { return "--key is missing: name the file of a signing key, which `seal-key` creates." }
    if directory == nil, PostgresAddress.isAddress(path) {
      return "--into is missing: a log on a server has no directory for seals."
    }
    return unusable(interval, of: "every", max: 1_000_000_000)
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let key = try sealed { () throws(SealError) in try SigningKey.read(from: self.key ?? "") }
    let log = try openSealedLog(path, in: context)
    defer { log.close() }
    let seals = directory.map { SealDirectory(at: $0) } ?? SealDirectory(ofLogAt: path)
    var last: Seal?
    try repeated(every: interval, in: context) { () throws(Failure) in
      let seal = try sealed { () throws(SealError) in
        try seals.seal(log, with: key, at: context.configuration.clock())
      }
      if seal != last { try context.report(isJSON ? seal.json : "\(seal)") }
      last = seal
    }
    return .done
  }
}

/// The command that creates a signing key.
struct SealKeyCommand: Command {
  static let name = "seal-key"
  static let summary = "Creates a key for seals, and prints its public half."
  static let details = """
    The file is readable by its owner only. With it, any process can seal in this name: keep it away from
    those who can write the log, and publish the public key, which is in FILE.pub, too. NAME is in each signature;
    it has no space and no +.
    """
  static let examples = ["verbatim seal-key seal.key chat.example.org"]

  static var parameters: [Parameter<Self>] {
    [
      .positional("FILE", "The file of the signing key; it must not exist yet.", \.path),
      .positional("NAME", "The name of the signer.", \.name),
    ]
  }

  var path = ""
  var name = ""

  func run(in context: Context) throws(Failure) -> ExitCode {
    guard let key = SigningKey(named: name) else {
      throw Failure(
        .misused, "\(name.debugDescription) cannot name a signer: use no space, no + and no control character.")
    }
    let text = "\(key.publicKey)\n"
    var published = try NewFile(at: path + ".pub")
    try published.write(text)
    try sealed { () throws(SealError) in try key.write(to: path) }
    try published.finish()
    try context.report(text)
    return .done
  }
}

/// Opens a log for sealing, after which its chain is read.
func openSealedLog(_ path: String, in context: Context) throws(Failure) -> any Log {
  DamageGuard.install(for: path, in: context)
  return try openLog(path, .reading, in: context)
}

/// Runs the closure once, or every few seconds until the command is interrupted.
///
/// Exit code 0 then says that it was interrupted: an output that is closed before is a failure.
func repeated(
  every seconds: Int?, in context: Context, _ body: () throws(Failure) -> Void
) throws(Failure) {
  guard let seconds else { return try body() }
  InterruptFlag.install(in: context)
  while !InterruptFlag.hasHappened {
    try rethrow(body()) { (error: Failure) in
      error.message == nil
        ? Failure(.unable, "The output was closed, and nothing is sealed any more: start the command again.") : error
    }
    let deadline = ContinuousClock.now + .seconds(seconds)
    // A signal ends the call early.
    while !InterruptFlag.hasHappened, ContinuousClock.now < deadline { usleep(100_000) }
  }
}

/// Runs the closure; its error becomes a failure, with exit code 1 where a seal does not agree.
func sealed<R>(_ body: () throws(SealError) -> R) throws(Failure) -> R {
  try rethrow(body(), as: { (error: SealError) in Failure(error) })
}

extension Failure {
  /// Creates the failure for an error of sealing or of checking seals.
  init(_ error: SealError) { self.init(error.isDisagreement ? .refused : .unable, error.description) }
}

extension SealError {
  /// Whether a seal does not agree with the log, with another seal, or with its signature.
  var isDisagreement: Bool {
    switch self {
    case .rewritten, .otherLog, .contradiction, .missing, .untrue, .forged, .unsigned: true
    case .noEvents, .noDirectory, .otherSeal, .noSeals, .notASeal, .key, .log, .storage: false
    }
  }
}

extension Seal {
  /// The seal as one line of JSON.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("log", "\(log)")
      writer.member("position", position.rawValue)
      writer.member("hash", "\(hash)")
      writer.member("time", "\(time)")
      writer.key("signers")
      writer.array { for name in signers { $0.string(name) } }
      writer.member("seal", description)
    }
    return writer.text + "\n"
  }
}
