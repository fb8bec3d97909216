/** The schemas, as text that a bundler puts in: a published package has no file to look for. */
import session0001 from '../../migrations/session/0001_log_and_interactions.sql';
import workspace0001 from '../../migrations/workspace/0001_directory_inbox_keys.sql';
import type { Migrations } from '../platform/sqlite/migrate.ts';

export const SESSION_MIGRATIONS: Migrations = [session0001];
export const WORKSPACE_MIGRATIONS: Migrations = [workspace0001];
