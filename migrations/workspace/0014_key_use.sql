-- When a key, or a token that descends from it, was used last: to the hour, and null if it never was.
ALTER TABLE api_key ADD COLUMN used_at INTEGER;
