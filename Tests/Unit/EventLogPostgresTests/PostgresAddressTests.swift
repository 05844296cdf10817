// Threat: an address is misread, or a password is shown.
import EventLogPostgres
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

  @Test(arguments: ["", "chat", "/postgres://x", "postgres:/x", "Postgres://x"])
  func `other texts are no addresses`(text: String) { #expect(PostgresAddress(text) == nil) }
}
