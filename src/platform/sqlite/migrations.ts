/**
 * The texts of `migrations/`, in order, each with its SHA-256, which a test compares.
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
import { listReleased, type Migrations } from './migrate.ts';

export const SESSION_MIGRATIONS: Migrations = listReleased([
  { text: session0001, hash: 'd816cba58fee2a28e285375ada34cc419a0b1b4841b69dd394e5e9d4004cd48f' },
  { text: session0002, hash: 'ac395c82745eb5e0f43b20c6bff88ea55a46a0f20d66bfdce3cdb8ef08df3255' },
  { text: session0003, hash: '08f6d8ce24b3c96c8d65a307f6f3b0b1afa836fa5871260ceeb38e5cc92c85d7' },
  { text: session0004, hash: '3808910c84d75ba432921fbb0ebbf795f9012f124f04f4d17933f1c1a46cef71' },
  { text: session0005, hash: '6d99171085289921dc132aee5cb9ed0bdf7bddbb44a6f38d6d8ecb898245786f' },
]);
/** The tables of a new session in one step. */
export const NEW_SESSION: string = newSession;
export const WORKSPACE_MIGRATIONS: Migrations = listReleased([
  { text: workspace0001, hash: '9fcdf34a582e932c923ed915876779a8a2b883692763f904c9de72b030bdc03a' },
  { text: workspace0002, hash: '6299acf45d41ea034944218a442a49de982f31789064324549bcd5e345e7a75e' },
  { text: workspace0003, hash: '1fe08d5df9d1ccd58f228932ee43f0117481fe41975f4dc8ed8ba093d8ef888f' },
  { text: workspace0004, hash: '74d87203b4f4e6d5524eda174e531b4f65490131a9dde970b58d47d3e3fb1f50' },
  { text: workspace0005, hash: '780b357e11fde92308d6da6d8f0d1a503996a163b0803d03e1e8b729b42bfccb' },
  { text: workspace0006, hash: 'e1e9dcf9612089067c94ba75ce313f03aa2040e29a0e2d0338d741682e8a199c' },
  { text: workspace0007, hash: 'e965eb9391f03b2e770d6492fdcab5321a8268ab2e3359bc530a37f03c0f1330' },
  { text: workspace0009, hash: 'baef86db85522b6867836fa7bbda19e5d58903364688ca051ce36b596fafe9f7' },
  { text: workspace0010, hash: '0018fbe70973a4721c237619766e8b8ba441f805bf5d47e7ac0520ebaac4519f' },
  { text: workspace0013, hash: 'f8d8a06ce53e25aec38514aa894f883350837faddbe0f4858ea760a3b084f758' },
  { text: workspace0014, hash: '07bd9d8aba1c0787632117577a013684e5301b457d610b3d494dc44ed0d2a424' },
  { text: workspace0015, hash: '4b080f6f088009bb5191ebb897bcaa1ce127a5cf4e58b2db31e05b473b22132f' },
  { text: workspace0016, hash: 'daeee66e999a18c93d472419fb40ddb3b3649e057a8b3d026ef2d5395e04cb81' },
  { text: workspace0017, hash: '0a87e179d954ad6f47b896beddd2a591c5e39a79d688515b8f1cf82e1e7260b2' },
  { text: workspace0021, hash: '398347fbb768d5b8cae98c3101186ea78d2371c989656cf2083eeed0db020b0a' },
  { text: workspace0022, hash: '3a89d67836d512e3f3a2f55835551104be9f485004a64a4e97476352370dc4fc' },
  { text: workspace0023, hash: '1e8a996d1a206cdde70e664e3c7cc3b41a3800de74a5fec9ae58ef92a07ebf81' },
]);
export const TARGET_MIGRATIONS: Migrations = listReleased([
  { text: target0001, hash: '62e675f68075c5cbd0bf075b7ec593c705c63d4bb85ff83bfd69057c6f487587' },
  { text: target0002, hash: '7bc52a3d0f150c9c5afba2cbb38b3a044b3ed1acaafea286b91517a2d27ed649' },
]);
