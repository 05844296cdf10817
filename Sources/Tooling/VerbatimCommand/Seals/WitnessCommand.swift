// `verbatim witness`: signs the seals of another signer that extend what was seen before.
internal import Digests
internal import EventLog
internal import EventLogPostgres
internal import Verbatim

/// The command that signs the seals of another signer.
struct WitnessCommand: Command {
  static let name = "witness"
  static let summary = "Signs the seals of another signer, if the log extends all that was seen before."
  static let details = """
    Run it on another machine, against a copy that `verbatim mirror` keeps up to date or a log on a server.
    The log is compared with all seals that this key has signed, kept in --into, and with all seals of the
    signer; then each new seal is signed, stored and printed. A log that was rewritten is refused, and the
    first block that differs is named; the exit code is then 1.

    Without DIR, only the seals of the signer are compared: with each other and with those signed before.
    That shows that no two of them contradict each other, and not that they are those of the log.
    """
  static let examples = [
    "verbatim witness copy --seals chat/seals --public-key seal.key.pub --key witness.key --into witnessed",
    "verbatim witness --seals received --public-key seal.key.pub --key witness.key --into witnessed",
  ]

  static var parameters: [Parameter<Self>] {
    [
      .positional("DIR", "The directory of the log or its copy, or its address on a server.", \.path).optional,
      .option("seals", "PATH", "The directory or the file of the seals; default DIR/seals.", \.source),
      .option("public-key", "KEY", "The public key of the signer, or a file with it; required.", \.publicKey),
      .option("key", "FILE", "The file of the signing key of the witness; required.", \.key),
      .option("into", "DIR", "The directory for the seals that the witness signs; required.", \.directory),
      .option("every", "N", "Looks for new seals every N seconds until it is interrupted.", \.interval),
      .flag("json", "Reports each seal as one line of JSON.", \.isJSON),
    ]
  }

  var path = ""
  var source: String?
  var publicKey: String?
  var key: String?
  var directory: String?
  var interval: Int?
  var isJSON = false

  func contradiction() -> String? {
    for (name, value) in [("public-key", publicKey), ("key", key), ("into", directory)] where value == nil {
      return "--\(name) is missing: see `witness --help`."
    }
    if source == nil, path.isEmpty || PostgresAddress.isAddress(path) {
      return "--seals is missing: without the directory of a log, name the seals to compare."
    }
    return unusable(interval, of: "every", max: 1_000_000_000)
  }

  func run(in context: Context) throws(Failure) -> ExitCode {
    let key = try sealed { () throws(SealError) in try SigningKey.read(from: self.key ?? "") }
    let sealer = try sealed { () throws(SealError) in try PublicKey.read(publicKey ?? "") }
    let own = SealDirectory(at: directory ?? "")
    let offered = source.map { SealDirectory(at: $0) } ?? SealDirectory(ofLogAt: path)
    let log = path.isEmpty ? nil : try openSealedLog(path, in: context)
    defer { log?.close() }
    try repeated(every: interval, in: context) { () throws(Failure) in
      let signed = try sealed { () throws(SealError) in
        if let log { return try own.witness(log, sealedIn: offered, by: sealer, with: key) }
        return try own.witness(sealsIn: offered, by: sealer, with: key)
      }
      for seal in signed { try context.report(isJSON ? seal.json : "\(seal)") }
    }
    return .done
  }
}
