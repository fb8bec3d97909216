-- The history of command-line agents, imported from their transcripts. `cli` counts the CLI sessions of this session from 1.
-- A row holds consecutive entries, each a line of JSON; `first_entry` is the number of the first, from 0. `chain` and
-- `digest` stand for all entries up to the end of the row, so that a prefix is checked without reading the rows before.
-- Without a rowid: an empty table is one page of the file of every session.
CREATE TABLE history (
  cli INTEGER NOT NULL,
  first_entry INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  chain TEXT NOT NULL,
  digest TEXT NOT NULL,
  lines TEXT NOT NULL,
  PRIMARY KEY (cli, first_entry)
) STRICT, WITHOUT ROWID;
