// Threat: an address is misread, or a password is shown.
import EventLog
import EventLogPostgres
import PostgresServer
import Testing

@Suite struct PostgresAddressTests {
  @Test(arguments: [
    ("postgres://ada:secret@db:5432/chat?log=team&sslmode=require", "team", "postgres://ada@db:5432/chat?log=team"),
    ("postgresql://db/chat", "main", "postgresql://db/chat?log=main"),
    ("postgres:///?host=/run/pg&password=secret&log=a%2Fb%zz", "a/b%zz", "postgres:///?log=a/b%zz"),
    ("postgres://one,two/chat?target_session_attrs=read-write", "main", "postgres://one,two/chat?log=main"),
    ("postgres://a:p@ss@host", "main", "postgres://a@host?log=main"),
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

  @Test(arguments: ["", "chat", "/postgres://x", "postgres:/x", "Postgres://x"])
  func `other texts are no addresses`(text: String) { #expect(PostgresAddress(text) == nil) }
}
