// The schema of logs in a database, and the statements on it.

/// The tables of logs: one row for each log with its head, and one row for each block.
internal enum Schema {
  /// The version of the schema that this program writes.
  static let version = 2

  /// Creates the schema; run within a transaction that excludes other creators.
  static let creation = """
    CREATE SCHEMA verbatim;
    CREATE TABLE verbatim.format (version integer NOT NULL);
    INSERT INTO verbatim.format VALUES (\(version));
    CREATE TABLE verbatim.logs (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL UNIQUE,
      copy uuid NOT NULL DEFAULT gen_random_uuid(),
      genesis bytea NOT NULL,
      position bigint NOT NULL,
      hash bytea NOT NULL,
      blocks bigint NOT NULL,
      recorded bigint NOT NULL,
      fence bigint NOT NULL DEFAULT 0,
      blobs text
    ) WITH (fillfactor = 10);
    CREATE TABLE verbatim.blocks (
      log integer NOT NULL,
      last bigint NOT NULL,
      block bytea NOT NULL,
      PRIMARY KEY (log, last)
    );
    ALTER TABLE verbatim.blocks ALTER COLUMN block SET STORAGE EXTERNAL;
    CREATE TABLE verbatim.blobs (
      log integer NOT NULL,
      id bytea NOT NULL,
      chunk integer NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (log, id, chunk)
    );
    ALTER TABLE verbatim.blobs ALTER COLUMN bytes SET STORAGE EXTERNAL;
    \(checkpointTable)
    """

  private static let checkpointTable = """
    CREATE TABLE verbatim.checkpoints (
      log integer NOT NULL,
      position bigint NOT NULL,
      digest bytea NOT NULL,
      checkpoint bytea NOT NULL,
      PRIMARY KEY (log, position, digest)
    );
    """

  /// Changes the schema of version 1 into that of ``version``; run like ``creation``.
  static let upgrade = """
    ALTER TABLE verbatim.logs ADD COLUMN blobs text;
    \(checkpointTable)
    UPDATE verbatim.format SET version = \(version);
    """

  /// The key of the advisory lock that creators of the schema hold, and the first key of writer locks.
  static let lockKey = 0x7665_7262

  // `to_regclass` would answer from a cache that does not know yet what another creator has just committed.
  static let hasSchema = Statement(
    name: "schema",
    text: "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'verbatim' AND tablename = 'format')")
  static let format = Statement(name: "format", text: "SELECT max(version)::bigint FROM verbatim.format")
  static let log = Statement(
    name: "log",
    text: """
      SELECT id::bigint, genesis, copy::text, blobs FROM verbatim.logs WHERE name = convert_from($1::bytea, 'UTF8')
      """)
  static let newLog = Statement(
    name: "new",
    text: """
      INSERT INTO verbatim.logs (name, genesis, position, hash, blocks, recorded, blobs)
      VALUES (convert_from($2::bytea, 'UTF8'), $3::bytea, 0, $4::bytea, 0, $1::bigint,
        nullif(convert_from($5::bytea, 'UTF8'), ''))
      ON CONFLICT (name) DO NOTHING
      """)
  static let server = Statement(
    name: "server",
    text: """
      SELECT pg_is_in_recovery(), current_setting('fsync'), current_setting('full_page_writes'),
        current_setting('synchronous_commit'), current_setting('transaction_read_only'),
        has_table_privilege('verbatim.blocks', 'INSERT')
      """)

  static let database = Statement(
    name: "database", text: "SELECT to_hex(oid::bigint) FROM pg_database WHERE datname = current_database()")
  static let identity = Statement(
    name: "identity",
    text: """
      SELECT to_hex(system_identifier) || '-' || to_hex(oid::bigint)
      FROM pg_control_system(), pg_database WHERE datname = current_database()
      """)

  static let isStandby = Statement(name: "standby", text: "SELECT pg_is_in_recovery()")

  static let head = Statement(
    name: "head",
    text: "SELECT position, blocks, recorded, fence, hash FROM verbatim.logs WHERE id = $1::bigint")

  /// Updates the head if it is the expected one.
  private static let moveHead = """
    WITH head AS (
      UPDATE verbatim.logs SET position = $2::bigint, blocks = $3::bigint, recorded = $4::bigint, hash = $7::bytea
      WHERE id = $1::bigint AND fence = $5::bigint AND hash = $6::bytea RETURNING id)
    """

  /// Updates the head if it is the expected one, and inserts the block then.
  static let append = Statement(
    name: "append",
    text: """
      \(moveHead)
      INSERT INTO verbatim.blocks SELECT id, $2::bigint, $8::bytea FROM head
      """)

  /// Updates the head if it is the expected one, and inserts several blocks then.
  static let appendSeveral = Statement(
    name: "appendSeveral",
    text: """
      \(moveHead)
      INSERT INTO verbatim.blocks
      SELECT id, last, block FROM head, unnest($8::bigint[], $9::bytea[]) AS several (last, block)
      """)

  /// Makes every append that was sent with an earlier fence fail; its commit waits for those before it to be as durable
  /// as any.
  static let fence = Statement(
    name: "fence", text: "UPDATE verbatim.logs SET fence = fence + 1 WHERE id = $1::bigint RETURNING fence")

  /// The number of bytes after which a batch of blocks ends: at most one block exceeds it.
  static let batchByteCount = 2 << 20

  static let forward = batch("forward", from: "last >= $2::bigint", by: "last")
  static let backward = batch("backward", from: "last <= $2::bigint", by: "last DESC")

  /// Returns the statement that reads a number of blocks, or fewer when they are large; the server knows the sizes
  /// without reading the blocks.
  private static func batch(_ name: String, from start: String, by order: String) -> Statement {
    Statement(
      name: name,
      text: """
        SELECT last, block FROM (
          SELECT last, block,
            sum(octet_length(block)) OVER (ORDER BY \(order) ROWS UNBOUNDED PRECEDING) - octet_length(block) AS before
          FROM (
            SELECT last, block FROM verbatim.blocks
            WHERE log = $1::bigint AND \(start) ORDER BY \(order) LIMIT $3::bigint
          ) AS several
        ) AS batch WHERE before < \(batchByteCount) ORDER BY \(order)
        """)
  }

  static let storeChunk = Statement(
    name: "storeChunk",
    text: """
      INSERT INTO verbatim.blobs (log, chunk, id, bytes)
      VALUES ($1::bigint::integer, $2::bigint::integer, $3::bytea, $4::bytea) ON CONFLICT DO NOTHING
      """)
  static let chunk = Statement(
    name: "chunk",
    text: "SELECT bytes FROM verbatim.blobs WHERE log = $1::bigint AND chunk = $2::bigint AND id = $3::bytea")

  // Every blob has a first chunk, also one without bytes.
  static let hasBlob = Statement(
    name: "hasBlob",
    text: """
      SELECT EXISTS (SELECT FROM verbatim.blobs WHERE log = $1::bigint AND chunk = 0 AND id = $2::bytea)
      """)
  static let blobs = Statement(
    name: "blobs", text: "SELECT id FROM verbatim.blobs WHERE log = $1::bigint AND chunk = 0 ORDER BY id")

  static let addCheckpoint = Statement(
    name: "addCheckpoint",
    text: """
      INSERT INTO verbatim.checkpoints (log, position, digest, checkpoint)
      VALUES ($1::bigint::integer, $2::bigint, $3::bytea, $4::bytea) ON CONFLICT DO NOTHING
      """)
  static let checkpoints = Statement(
    name: "checkpoints",
    text: """
      SELECT checkpoint FROM verbatim.checkpoints
      WHERE log = $1::bigint AND position BETWEEN $2::bigint AND $3::bigint ORDER BY position, digest
      """)

  /// Returns the statements that acquire the writer lock of a log within a second; a failure undoes the setting, too.
  static func lock(_ log: Int64) -> String {
    "SET lock_timeout = 1000; SELECT pg_advisory_lock(\(lockKey), \(log)); SET lock_timeout = 0"
  }
  static let unlock = Statement(name: "unlock", text: "SELECT pg_advisory_unlock(\(lockKey), $1::bigint::integer)")
}
