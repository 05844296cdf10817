// Threat: an address is misread, or a password is shown.
import EventLog
import PostgresServer
import Testing

@testable import EventLogPostgres

@Suite struct PostgresAddressTests {
  @Test(arguments: [
    ("postgres://ada:secret@db:5432/chat?log=team&sslmode=require", "team", "postgres://ada@db:5432/chat?log=team"),
    ("postgresql://db/chat", "main", "postgresql://db/chat?log=main"),
    ("postgres:///?host=/run/pg&password=secret&log=a%2Fb%zz", "a/b%zz", "postgres:///?log=a/b%zz"),
    ("postgres://one,two/chat?target_session_attrs=read-write", "main", "postgres://one,two/chat?log=main"),
    ("postgres://a:p@ss@host", "main", "postgres://a@host?log=main"),
    ("postgres://ada:se/cret@h/db", "main", "postgres://ada@h/db?log=main"),
    ("postgres://ada:se?cret@h/db?log=x", "main", "postgres://ada@h/db?log=main"),
    ("postgres://ada:s/e?cr@t@h/db", "main", "postgres://ada@h/db?log=main"),
    ("postgres://ada:se?cr=et@h/db", "main", "postgres://ada@h/db?log=main"),
    ("postgres://[::1]:5432/db?user=a@b:c&log=x", "x", "postgres://[::1]:5432/db?log=x"),
    ("postgres://", "main", "postgres://?log=main"),
  ])
  func `an address has the name of a log, and is shown without a password`(
    text: String, log: String, shown: String
  ) throws {
    let address = try #require(PostgresAddress(text))
    #expect(address.log == log)
    #expect("\(address)" == shown)
  }

  @Test(arguments: [("", true), ("&notify=on", true), ("&notify=off", false)])
  func `an address says whether the server notifies`(parameter: String, notifies: Bool) async throws {
    let (server, machine) = (try PostgresServer.shared(), Machine())
    let text = server.address(ofLog: "notify\(UInt32.random(in: 0 ... .max))") + parameter
    let address = try #require(PostgresAddress(text))
    #expect(address.notifies == notifies)
    let (one, two) = (try machine.open(address, creates: .new()), try machine.open(address))
    async let isThere = one.log.wait(beyond: .zero, until: .now + .seconds(60))
    _ = try await two.append(Append([ProposedEvent(stream: "s", type: "t", payload: [1])]))
    #expect(try await isThere)
    one.close()
    two.close()
  }

  @Test func `a parameter that is no one's is an error`() throws {
    let text = try PostgresServer.shared().address(ofLog: "none") + "&notify=perhaps"
    let error = #expect(throws: OpenError.self) { try Machine().open(text) }
    #expect("\(try #require(error))".contains("notify"))
  }

  @Test(arguments: [
    "postgres://ada:100%secret@127.0.0.1:1/db", "postgres://ada:secret/secret@127.0.0.1:1/db",
    "postgres://ada:1/secret@127.0.0.1:1/db", "postgres://ada:secret@secret@127.0.0.1:1/db",
    "postgres://ada:secret?secret@127.0.0.1:1/db", "postgres://ada:secret/s?secret@127.0.0.1:1/db",
    "postgres://ada@127.0.0.1:1/db?password=100%secret", "postgres://ada:secret@127.0.0.1:1/db",
    "postgres://ada:secret?a=secret@127.0.0.1:1/db", "postgres://ada@127.0.0.1:1/db?password=secret&password=secret",
  ])
  func `no error of an address has its password`(text: String) throws {
    let address = try #require(PostgresAddress(text))
    let (error, refusal) = (
      #expect(throws: OpenError.self) { try Machine().open(address) },
      #expect(throws: PostgresError.self) { try Connection(to: address) }
    )
    for text in ["\(address)", "\(try #require(error))", "\(try #require(refusal))"] {
      #expect(!text.contains("secret"), "\(text)")
    }
  }

  @Test(arguments: [
    ("postgres://ada:100%25%2Fs%40@[::1]:5432/db", "100%/s@"), ("postgres:///db?host=/run/pg&password=a%26b", "a&b"),
    ("postgres://ada@h/db?user=a@b:c", nil), ("postgres://h,i:5432/db", nil), ("postgres://ada:@h", ""),
  ])
  func `a password with escapes is found, and nothing else is taken for one`(text: String, password: String?) {
    let (shown, found) = PostgresAddress.withoutPassword(text)
    #expect(found == password)
    if password == nil { #expect(shown == text) }
  }

  @Test(arguments: ["", "chat", "/postgres://x", "postgres:/x", "Postgres://x"])
  func `other texts are no addresses`(text: String) { #expect(PostgresAddress(text) == nil) }
}
