-- The tables of a new session, as the migrations leave them, but for those that most sessions never use: an empty table is
-- a page of disk in every session. `older_interaction` is in databases of older versions alone, and `history` is created by
-- the first import. `migrations/session/` says what the columns are.
CREATE TABLE log (
  last_seq INTEGER PRIMARY KEY,
  first_seq INTEGER NOT NULL,
  reported_seq INTEGER NOT NULL,
  tail TEXT,
  keyed_result TEXT,
  events TEXT NOT NULL
) STRICT;

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
