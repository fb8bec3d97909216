-- Receivers outside: each has an object of its own, which holds its queue. `entry` has the rest of the target as JSON,
-- its secrets among it.
CREATE TABLE target (
  id TEXT PRIMARY KEY,
  entry TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Announcements that the object of a target has not confirmed. A confirmed row is overwritten by the next one, so that
-- an announcement costs one row; what is left of them the alarm removes. `number` is the order in which they arrived.
CREATE TABLE target_outbox (
  target_id TEXT NOT NULL,
  slot INTEGER NOT NULL,
  number INTEGER NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (target_id, slot)
) STRICT, WITHOUT ROWID;
