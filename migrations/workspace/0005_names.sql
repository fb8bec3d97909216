-- Names as docs/words.md has them.
ALTER TABLE session RENAME COLUMN heard_at TO reported_at;
