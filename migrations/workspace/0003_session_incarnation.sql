-- Which file of a session was heard last; a file that was exchanged has another name. Empty: one from
-- before files had names.
ALTER TABLE session ADD COLUMN incarnation TEXT NOT NULL DEFAULT '';
