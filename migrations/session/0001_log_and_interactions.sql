-- One session: its log, its interactions, and the little that is neither.
-- The log holds one row a command, with the events of that command as the members of a JSON array.
-- `told` is how far the workspace had confirmed the log when the row was written.
CREATE TABLE log (
  last_seq INTEGER PRIMARY KEY,
  first_seq INTEGER NOT NULL,
  told INTEGER NOT NULL,
  events TEXT NOT NULL
) STRICT;

-- The interaction id is made of tool call and step, so both look-ups go by the primary key. The
-- narrow columns come first: a scan for open ones or for a key does not read the records.
CREATE TABLE interaction (
  tool_call_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'settled')),
  opened_at INTEGER NOT NULL,
  settled_at INTEGER,
  expires_at INTEGER,
  open_key TEXT,
  open_hash TEXT,
  settle_key TEXT,
  settle_hash TEXT,
  record TEXT NOT NULL,
  PRIMARY KEY (tool_call_id, step)
) STRICT, WITHOUT ROWID;

-- What is neither, as JSON: the settings under `info`, a rule under `rule/<id>`, and under `key/<key>`
-- the result of a command that leaves no interaction row of its own. One table, because each table is
-- a page of disk in every session there is, and most sessions have none of the latter two.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
