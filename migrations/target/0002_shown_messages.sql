-- Where the surface of a target shows an interaction, so that the message can be retired wherever the interaction settles.
-- `number` is the delivery that shows it; null when only its end was delivered.
CREATE TABLE shown (
  session_id TEXT NOT NULL,
  interaction_id TEXT NOT NULL,
  number INTEGER,
  reference TEXT NOT NULL,
  is_retired INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (session_id, interaction_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX shown_by_delivery ON shown (number) WHERE is_retired = 0;
CREATE INDEX shown_by_time ON shown (at) WHERE is_retired = 1;
