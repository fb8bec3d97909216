-- The people of a workspace. `entry` has the name, the address, the role and the state as JSON.
CREATE TABLE person (
  subject TEXT PRIMARY KEY,
  entry TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row for each browser in which a person is signed in. It ends with the row, or when it expires.
CREATE TABLE sign_in (
  subject TEXT NOT NULL,
  id TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY (subject, id)
) STRICT, WITHOUT ROWID;
