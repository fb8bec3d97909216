-- Rules: those of the workspace under an empty session, and those that each session reported last. `entry` is the rule as
-- JSON.
CREATE TABLE rule (
  session_id TEXT NOT NULL,
  id TEXT NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (session_id, id)
) STRICT, WITHOUT ROWID;

-- The last requests that passed the gate of any session, on which a rule is tried before it is made. A slot is overwritten
-- by the request that comes `LIMITS.triedRequests` later, so that a request costs one row.
CREATE TABLE gated_request (
  slot INTEGER PRIMARY KEY,
  number INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  entry TEXT NOT NULL
) STRICT;
