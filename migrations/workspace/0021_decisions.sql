-- What one person decided, newest first, without reading the decisions of everybody else. The entries stay JSON; one that
-- another version wrote, and that is none, is in no index. `listDecisions` has the same expressions.
CREATE INDEX audit_decision ON audit (
  CASE WHEN json_valid(entry) THEN json_extract(entry, '$.subject') END,
  CASE WHEN json_valid(entry) THEN json_extract(entry, '$.by.key') END,
  number
) WHERE CASE WHEN json_valid(entry) THEN json_extract(entry, '$.what') END IN ('interaction', 'gate');
