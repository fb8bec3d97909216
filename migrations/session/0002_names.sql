-- Names as docs/words.md has them. Only fields that Holdpoint wrote are renamed: a tool's input may have a field
-- `takenAt` of its own, and its digest must stay.
ALTER TABLE log RENAME COLUMN told TO reported_seq;

UPDATE log SET events = (
  SELECT group_concat(
    CASE WHEN json_type(value, '$.payload.authorisedDigest') IS NULL THEN value
    ELSE json_remove(
      json_set(value, '$.payload.authorizedDigest', json_extract(value, '$.payload.authorisedDigest')),
      '$.payload.authorisedDigest'
    ) END, ','
  ) FROM json_each('[' || events || ']')
) WHERE instr(events, '"authorisedDigest"') > 0;

UPDATE interaction SET record = json_remove(
  json_set(record, '$.authorizedDigest', json_extract(record, '$.authorisedDigest')),
  '$.authorisedDigest'
) WHERE json_type(record, '$.authorisedDigest') IS NOT NULL;

UPDATE interaction SET record = json_remove(
  json_set(record, '$.deliveredAt', json_extract(record, '$.takenAt')),
  '$.takenAt'
) WHERE json_type(record, '$.takenAt') IS NOT NULL;

UPDATE meta SET key = 'message/' || substr(key, 6) WHERE key > 'said/' AND key < 'said0';
