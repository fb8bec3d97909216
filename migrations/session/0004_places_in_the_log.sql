-- The events about an interaction make its record, so the record is stored once, in the log. `tail` is what holds after a
-- row: the places of the open interactions in the log, the interaction that settled last, and the row of the last
-- idempotency key. `keyed_result` is the result of the command of this row, where it has a key.
ALTER TABLE log ADD COLUMN tail TEXT;
ALTER TABLE log ADD COLUMN keyed_result TEXT;

-- Records of before keep their text: their events may have another shape. Renaming the table copies none of it.
ALTER TABLE interaction RENAME TO older_interaction;

-- A row is written when its interaction settles. `places` are the events about it as a JSON array of `seq`; in front of
-- them may stand the id under which the record up to there is kept as text. `before_call` and `before_step` name the
-- interaction that settled before, which is the order of the list of settled ones without an index.
CREATE TABLE interaction (
  tool_call_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  places TEXT NOT NULL,
  before_call TEXT,
  before_step INTEGER,
  delivered_at INTEGER,
  shown_at INTEGER,
  acknowledged_at INTEGER,
  PRIMARY KEY (tool_call_id, step)
) STRICT, WITHOUT ROWID;

INSERT INTO interaction (tool_call_id, step, places, before_call, before_step)
  SELECT tool_call_id, step, json_array(tool_call_id || '~' || step),
         lag(tool_call_id) OVER settling, lag(step) OVER settling
  FROM older_interaction WHERE status = 'settled'
  WINDOW settling AS (ORDER BY settled_at, tool_call_id, step);

UPDATE log SET tail = json_object(
  'open', (SELECT json_group_array(json_array(tool_call_id || '~' || step))
           FROM older_interaction WHERE status = 'open'),
  'settled', (SELECT tool_call_id || '~' || step FROM older_interaction WHERE status = 'settled'
              ORDER BY settled_at DESC, tool_call_id DESC, step DESC LIMIT 1)
) WHERE last_seq = (SELECT max(last_seq) FROM log);

-- Idempotency keys count for a day. The day ends with the last thing that happened, because SQL knows no other time here.
INSERT OR IGNORE INTO meta (key, value)
  SELECT 'key/' || open_key, json_object('bodyHash', open_hash, 'at', opened_at, 'reply', json_object(
    'type', 'interaction', 'interactionId', tool_call_id || '~' || step, 'created', json('true')))
  FROM older_interaction
  WHERE open_key IS NOT NULL
    AND opened_at > (SELECT max(max(opened_at), ifnull(max(settled_at), 0)) FROM older_interaction) - 86400000;

INSERT OR IGNORE INTO meta (key, value)
  SELECT 'key/' || settle_key, json_object('bodyHash', settle_hash, 'at', settled_at, 'reply', json_object(
    'type', 'interaction', 'interactionId', tool_call_id || '~' || step))
  FROM older_interaction
  WHERE settle_key IS NOT NULL
    AND settled_at > (SELECT max(max(opened_at), ifnull(max(settled_at), 0)) FROM older_interaction) - 86400000;
