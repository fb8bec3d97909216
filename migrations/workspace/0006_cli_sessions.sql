-- Which session a conversation of a command-line agent belongs to. The first session that claims it has it.
CREATE TABLE cli_session (
  provider TEXT NOT NULL,
  cli_session_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  PRIMARY KEY (provider, cli_session_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX cli_session_by_session ON cli_session (session_id);
