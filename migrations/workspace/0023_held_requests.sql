-- A request that passed the gate is held in the row of its session, which its report writes anyway, until there are some
-- of them; then they are one row of `gated_request`, whose `entry` is an array from here on. What was kept before are
-- samples, which are collected again.
ALTER TABLE session ADD COLUMN gated TEXT NOT NULL DEFAULT '[]';

DELETE FROM gated_request;
