-- One workspace: what spans its sessions. A session row is kept after deletion, so that its id is
-- never used again. `open_due` maps the open interactions of the session to the key they have in
-- `open_interaction`, so that a report needs no second index to find them.
CREATE TABLE session (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  title TEXT,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER,
  head INTEGER NOT NULL,
  heard_at INTEGER NOT NULL,
  open_due TEXT NOT NULL
) STRICT;

-- Oldest deadline first is the primary key: the inbox and the sweep read it from the front.
CREATE TABLE open_interaction (
  due_at INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  interaction_id TEXT NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (due_at, session_id, interaction_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  at INTEGER NOT NULL,
  source TEXT NOT NULL,
  seq INTEGER NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (at, source, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE revoked (
  credential TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;

-- Which sessions a credential may have live sockets on, for telling them of a revocation.
CREATE TABLE watcher (
  credential TEXT NOT NULL,
  session_id TEXT NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (credential, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
