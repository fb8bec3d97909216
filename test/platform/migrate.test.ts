/**
 * Which databases are opened, and which are refused.
 *
 * A bug here looks like a folder of another version that is read as if it were of this one: a log
 * whose events are something else, rules that are gone, a column that is not there.
 */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/core/digest.ts';
import { type Database, nodeDatabase } from '../../src/platform/sqlite/database.ts';
import {
  appliedTo,
  hashesOf,
  type Migrations,
  migrate,
  UnknownSchema,
} from '../../src/platform/sqlite/migrate.ts';
import {
  SESSION_MIGRATIONS,
  TARGET_MIGRATIONS,
  WORKSPACE_MIGRATIONS,
} from '../../src/platform/sqlite/migrations.ts';
import { readMigrations } from '../support/read-migrations.ts';

/** Only ever add to these lists: a migration that is out there stays as it is. */
const RELEASED = {
  session: [
    'd816cba58fee2a28e285375ada34cc419a0b1b4841b69dd394e5e9d4004cd48f',
    'ac395c82745eb5e0f43b20c6bff88ea55a46a0f20d66bfdce3cdb8ef08df3255',
    '08f6d8ce24b3c96c8d65a307f6f3b0b1afa836fa5871260ceeb38e5cc92c85d7',
    '3808910c84d75ba432921fbb0ebbf795f9012f124f04f4d17933f1c1a46cef71',
    '6d99171085289921dc132aee5cb9ed0bdf7bddbb44a6f38d6d8ecb898245786f',
  ],
  workspace: [
    '9fcdf34a582e932c923ed915876779a8a2b883692763f904c9de72b030bdc03a',
    '6299acf45d41ea034944218a442a49de982f31789064324549bcd5e345e7a75e',
    '1fe08d5df9d1ccd58f228932ee43f0117481fe41975f4dc8ed8ba093d8ef888f',
    '74d87203b4f4e6d5524eda174e531b4f65490131a9dde970b58d47d3e3fb1f50',
    '780b357e11fde92308d6da6d8f0d1a503996a163b0803d03e1e8b729b42bfccb',
    'e1e9dcf9612089067c94ba75ce313f03aa2040e29a0e2d0338d741682e8a199c',
    'e965eb9391f03b2e770d6492fdcab5321a8268ab2e3359bc530a37f03c0f1330',
    'baef86db85522b6867836fa7bbda19e5d58903364688ca051ce36b596fafe9f7',
    '0018fbe70973a4721c237619766e8b8ba441f805bf5d47e7ac0520ebaac4519f',
    'f8d8a06ce53e25aec38514aa894f883350837faddbe0f4858ea760a3b084f758',
    '07bd9d8aba1c0787632117577a013684e5301b457d610b3d494dc44ed0d2a424',
    '4b080f6f088009bb5191ebb897bcaa1ce127a5cf4e58b2db31e05b473b22132f',
    'daeee66e999a18c93d472419fb40ddb3b3649e057a8b3d026ef2d5395e04cb81',
    '0a87e179d954ad6f47b896beddd2a591c5e39a79d688515b8f1cf82e1e7260b2',
    '398347fbb768d5b8cae98c3101186ea78d2371c989656cf2083eeed0db020b0a',
    '3a89d67836d512e3f3a2f55835551104be9f485004a64a4e97476352370dc4fc',
    '1e8a996d1a206cdde70e664e3c7cc3b41a3800de74a5fec9ae58ef92a07ebf81',
  ],
  target: [
    '62e675f68075c5cbd0bf075b7ec593c705c63d4bb85ff83bfd69057c6f487587',
    '7bc52a3d0f150c9c5afba2cbb38b3a044b3ed1acaafea286b91517a2d27ed649',
  ],
};

const NEXT = 'ALTER TABLE meta ADD COLUMN note TEXT;';

function made(migrations: Migrations): Database {
  const database = nodeDatabase(new DatabaseSync(':memory:'));
  migrate(database, migrations, appliedTo(database, migrations));
  return database;
}

/** As the versions before hashes left it: the number of migrations. */
function madeBefore([first = '']: Migrations): Database {
  const database = nodeDatabase(new DatabaseSync(':memory:'));
  database.script(first);
  database.run("INSERT INTO meta (key, value) VALUES ('schema', '1')");
  return database;
}

describe.each([
  ['session', SESSION_MIGRATIONS, RELEASED.session],
  ['workspace', WORKSPACE_MIGRATIONS, RELEASED.workspace],
  ['target', TARGET_MIGRATIONS, RELEASED.target],
] as const)('the schema of a %s', (name, migrations, released) => {
  it('[LOG-11] is the files of its folder in their order, each unchanged since its release', () => {
    expect(migrations).toEqual(readMigrations(name));
    expect(hashesOf(migrations)).toEqual(released);
    expect(migrations.map((text) => sha256Hex(text))).toEqual(released);
  });

  it('[LOG-11] is stored with the hash of each migration, and is recognized', () => {
    const database = made(migrations);
    expect(appliedTo(database, migrations)).toEqual({ count: migrations.length, isNoted: true });
    const [row] = database.all<{ value: string }>("SELECT value FROM meta WHERE key = 'schema'");
    expect(JSON.parse(row?.value ?? '')).toEqual(hashesOf(migrations));
  });

  it.each(['__miniflare_do_name', '_cf_KV', '_cf_METADATA'])(
    '[LOG-11] is that of a new object although the runtime has created %s before the first read',
    (table) => {
      const database = nodeDatabase(new DatabaseSync(':memory:'));
      database.script(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, name TEXT)`);
      expect(appliedTo(database, migrations)).toEqual({ count: 0, isNoted: false });
      migrate(database, migrations, appliedTo(database, migrations));
      expect(appliedTo(database, migrations)).toEqual({ count: migrations.length, isNoted: true });
    },
  );

  it('[LOG-11] is migrated by the added files', () => {
    const database = made(migrations);
    const longer = [...migrations, NEXT];
    migrate(database, longer, appliedTo(database, longer));
    database.run("UPDATE meta SET note = 'new'");
    expect(appliedTo(database, longer)).toEqual({ count: longer.length, isNoted: true });
  });

  it('[LOG-11] of a newer version is refused with a sentence, and left unchanged', () => {
    const longer = [...migrations, NEXT];
    const database = made(longer);
    expect(() => appliedTo(database, migrations)).toThrow(UnknownSchema);
    expect(() => appliedTo(database, migrations)).toThrow(/newer version of Holdpoint.*backup/s);
    expect(appliedTo(database, longer).count).toBe(longer.length);
  });

  it('[LOG-11] of an edited migration is refused', () => {
    const edited = migrations.map((script, index) =>
      index === 0 ? `${script}\n-- edited` : script,
    );
    const database = made(edited);
    expect(() => appliedTo(database, migrations)).toThrow(/schema was not released/);
  });

  it('[LOG-11] from before that is refused', () => {
    const database = madeBefore(migrations);
    database.script('CREATE TABLE rule (id TEXT PRIMARY KEY, rule TEXT NOT NULL) STRICT');
    expect(() => appliedTo(database, migrations)).toThrow(UnknownSchema);
    const other = madeBefore(migrations);
    other.script('ALTER TABLE meta ADD COLUMN more TEXT');
    expect(() => appliedTo(other, migrations)).toThrow(UnknownSchema);
  });

  it('[LOG-11] without its number is no database of this project', () => {
    const database = made(migrations);
    database.run("DELETE FROM meta WHERE key = 'schema'");
    expect(() => appliedTo(database, migrations)).toThrow(UnknownSchema);
    database.run("INSERT INTO meta (key, value) VALUES ('schema', 'something')");
    expect(() => appliedTo(database, migrations)).toThrow(UnknownSchema);
  });
});

describe.each([
  ['session', SESSION_MIGRATIONS],
  ['workspace', WORKSPACE_MIGRATIONS],
] as const)('the schema of a %s', (_name, migrations) => {
  it('[LOG-11] from before hashes were stored is accepted if it is the known schema', () => {
    const database = madeBefore(migrations);
    const applied = appliedTo(database, migrations);
    expect(applied).toEqual({ count: 1, isNoted: false });
    migrate(database, migrations, applied);
    expect(appliedTo(database, migrations)).toEqual({ count: migrations.length, isNoted: true });
  });
});

it('[LOG-11] a log with rows of whole arrays is not read as a log with rows of array members', () => {
  const database = madeBefore(SESSION_MIGRATIONS);
  database.run(
    'INSERT INTO log (last_seq, first_seq, told, events) VALUES (1, 1, 0, ?)',
    '[{"seq":1}]',
  );
  expect(() => appliedTo(database, SESSION_MIGRATIONS)).toThrow(UnknownSchema);
});

it('[LOG-11] renames fields of its own in records and events, and none of a tool input', () => {
  const database = made(SESSION_MIGRATIONS.slice(0, 1));
  const input = {
    takenAt: 5,
    authorisedDigest: 'mine',
    text: '"takenAt":6,"authorisedDigest":"x"',
  };
  const record = { input, inputDigest: 'd', authorisedDigest: 'd', takenAt: 7 };
  const events = [
    { seq: 1, type: 'interaction_request', payload: { input } },
    {
      seq: 2,
      type: 'interaction_response',
      payload: { updatedInput: input, authorisedDigest: 'd' },
    },
  ];
  database.run(
    'INSERT INTO log (last_seq, first_seq, told, events) VALUES (2, 1, 1, ?)',
    JSON.stringify(events).slice(1, -1),
  );
  database.run(
    `INSERT INTO interaction (tool_call_id, step, status, opened_at, record) VALUES ('c', 1, 'settled', 1, ?)`,
    JSON.stringify(record),
  );
  database.run("INSERT INTO meta (key, value) VALUES ('said/0001', 'hello')");
  migrate(database, SESSION_MIGRATIONS, appliedTo(database, SESSION_MIGRATIONS));

  const [row] = database.all<{ events: string; reported_seq: number }>('SELECT * FROM log');
  expect(row?.reported_seq).toBe(1);
  expect(JSON.parse(`[${row?.events}]`)).toEqual([
    events[0],
    {
      seq: 2,
      type: 'interaction_response',
      payload: { updatedInput: input, authorizedDigest: 'd' },
    },
  ]);
  const [stored] = database.all<{ record: string }>('SELECT record FROM older_interaction');
  expect(JSON.parse(stored?.record ?? '')).toEqual({
    input,
    inputDigest: 'd',
    authorizedDigest: 'd',
    deliveredAt: 7,
  });
  expect(database.all("SELECT value FROM meta WHERE key = 'message/0001'")).toEqual([
    { value: 'hello' },
  ]);
});
