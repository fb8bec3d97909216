/**
 * The texts of `migrations/`, in order.
 *
 * They are imported, so that every bundle contains them: neither a Worker nor a published package can read a file.
 */
import session0001 from '../../../migrations/session/0001_log_and_interactions.sql';
import session0002 from '../../../migrations/session/0002_names.sql';
import session0003 from '../../../migrations/session/0003_history.sql';
import session0004 from '../../../migrations/session/0004_places_in_the_log.sql';
import session0005 from '../../../migrations/session/0005_settled_rows.sql';
import newSession from '../../../migrations/new-session.sql';
import workspace0001 from '../../../migrations/workspace/0001_directory_inbox_keys.sql';
import workspace0002 from '../../../migrations/workspace/0002_tokens.sql';
import workspace0003 from '../../../migrations/workspace/0003_session_incarnation.sql';
import workspace0004 from '../../../migrations/workspace/0004_inbox_shares.sql';
import workspace0005 from '../../../migrations/workspace/0005_names.sql';
import workspace0006 from '../../../migrations/workspace/0006_cli_sessions.sql';
import workspace0007 from '../../../migrations/workspace/0007_targets.sql';
import workspace0009 from '../../../migrations/workspace/0009_rules.sql';
import workspace0010 from '../../../migrations/workspace/0010_people.sql';
import workspace0013 from '../../../migrations/workspace/0013_audit_chain.sql';
import workspace0014 from '../../../migrations/workspace/0014_key_use.sql';
import workspace0015 from '../../../migrations/workspace/0015_session_exports.sql';
import workspace0016 from '../../../migrations/workspace/0016_session_list.sql';
import workspace0017 from '../../../migrations/workspace/0017_pins.sql';
import workspace0021 from '../../../migrations/workspace/0021_decisions.sql';
import workspace0022 from '../../../migrations/workspace/0022_no_decision_index.sql';
import workspace0023 from '../../../migrations/workspace/0023_held_requests.sql';
import target0001 from '../../../migrations/target/0001_deliveries.sql';
import target0002 from '../../../migrations/target/0002_shown_messages.sql';
import type { Migrations } from './migrate.ts';

export const SESSION_MIGRATIONS: Migrations = [
  session0001,
  session0002,
  session0003,
  session0004,
  session0005,
];
/** The tables of a new session in one step. */
export const NEW_SESSION: string = newSession;
export const WORKSPACE_MIGRATIONS: Migrations = [
  workspace0001,
  workspace0002,
  workspace0003,
  workspace0004,
  workspace0005,
  workspace0006,
  workspace0007,
  workspace0009,
  workspace0010,
  workspace0013,
  workspace0014,
  workspace0015,
  workspace0016,
  workspace0017,
  workspace0021,
  workspace0022,
  workspace0023,
];
export const TARGET_MIGRATIONS: Migrations = [target0001, target0002];
