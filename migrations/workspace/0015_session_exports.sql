-- Up to which event a session was exported by an administrator, for a retention that deletes only what was exported.
CREATE TABLE session_export (
  session_id TEXT PRIMARY KEY,
  head INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
