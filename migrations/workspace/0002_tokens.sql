-- Tokens that were handed out, so that one can be found and revoked. A token works without its row; the row is written
-- before the token is shown, and removed some time after it has expired. `maker` is the root of the credential it was
-- made with, for whom tokens are counted; `chain` holds the ids whose revocation ends it, its own first.
CREATE TABLE token (
  id TEXT PRIMARY KEY,
  maker TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  chain TEXT NOT NULL,
  entry TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX token_by_maker ON token (maker, expires_at);
CREATE INDEX token_by_expiry ON token (expires_at);
