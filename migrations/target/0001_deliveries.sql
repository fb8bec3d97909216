-- One target: its settings and its secrets (`meta`), and what was or will be sent to it. `wait` is the state:
-- 'due' at `next_at`, 'behind' an earlier delivery of its session, or null when it has ended.
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE delivery (
  number INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  source TEXT NOT NULL,
  at INTEGER NOT NULL,
  wait TEXT,
  next_at INTEGER,
  attempts INTEGER NOT NULL,
  message TEXT NOT NULL,
  result TEXT NOT NULL
) STRICT;

-- `source` is the session, its log and the event: what arrives twice is stored once.
CREATE UNIQUE INDEX delivery_by_source ON delivery (source);
CREATE INDEX delivery_by_time ON delivery (next_at, number) WHERE wait = 'due';
CREATE INDEX delivery_by_session ON delivery (session_id, wait, number) WHERE wait IS NOT NULL;

-- Messages of the receiver that were accepted, so that none counts twice.
CREATE TABLE received (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX received_by_time ON received (at);
