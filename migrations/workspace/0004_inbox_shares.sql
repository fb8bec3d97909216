-- The inbox shows what is within the share of each credential before what is beyond it, so that no agent pushes those
-- of others off the first page. It stands first in the key: a page is still read from the front, and no index has to be
-- written. `root` says whose share it is; empty for what was open before.
CREATE TABLE shared_interaction (
  beyond_share INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  interaction_id TEXT NOT NULL,
  root TEXT NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (beyond_share, due_at, session_id, interaction_id)
) STRICT, WITHOUT ROWID;

INSERT INTO shared_interaction
  SELECT 0, due_at, session_id, interaction_id, '', entry FROM open_interaction;

DROP TABLE open_interaction;

ALTER TABLE shared_interaction RENAME TO open_interaction;
