-- The list of sessions by activity. `active_at` moves at most once a minute, so that most reports write no index row;
-- `about` has the exact time, the last line and the agent as JSON.
ALTER TABLE session ADD COLUMN active_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN about TEXT NOT NULL DEFAULT '{}';

UPDATE session SET active_at = reported_at;

CREATE INDEX session_by_activity ON session (archived, active_at, number) WHERE deleted_at IS NULL;
