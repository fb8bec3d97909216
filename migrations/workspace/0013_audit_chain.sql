-- The audit list as a chain, in the order in which its entries arrived: `hash` covers the entry, its number and the hash
-- of the one before. It is null for entries from before there was a chain, until the next entry is added.
-- `recorded_at` is the time of arrival, which never goes back, so that a time is found by its number.
CREATE TABLE chained_audit (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  source TEXT NOT NULL,
  seq INTEGER NOT NULL,
  entry TEXT NOT NULL,
  hash TEXT
) STRICT;

INSERT INTO chained_audit (at, recorded_at, source, seq, entry)
  SELECT at, at, source, seq, entry FROM audit ORDER BY at, source, seq;

DROP TABLE audit;

ALTER TABLE chained_audit RENAME TO audit;
