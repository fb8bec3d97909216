-- The sessions that a person keeps at the top of the own list.
CREATE TABLE pin (
  subject TEXT NOT NULL,
  session_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (subject, session_id)
) STRICT, WITHOUT ROWID;
