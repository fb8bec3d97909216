/**
 * Brings a database to the newest schema, and refuses an unknown schema.
 *
 * A released migration is never edited. A row of `meta` keeps the hash of each applied migration (the platform refuses
 * `PRAGMA user_version`), so a database of a newer version, or of an edited migration, is recognized before any row is
 * misread.
 */
import { sha256Hex } from '../../core/digest.ts';
import type { Database } from './database.ts';

/** The text of each migration, in order. */
export type Migrations = readonly string[];

/** The migrations that were applied to a database. */
export interface Applied {
  readonly count: number;
  /** Whether the hashes are stored; older versions stored none. */
  readonly isNoted: boolean;
}

/** Thrown for a database that this version must not touch; the message is a sentence for the operator. */
export class UnknownSchema extends Error {
  override name = 'UnknownSchema';
}

const NEWER = 'It was written by a newer version of Holdpoint.';
const DIFFERENT = 'It was made by a version of Holdpoint whose schema was not released.';
const ADVICE = 'Run the version that wrote it, or restore a backup of this version.';

/** The schemas of the versions that stored no hashes; their databases hold `1` instead. */
const BEFORE_HASHES: readonly string[] = [
  'd816cba58fee2a28e285375ada34cc419a0b1b4841b69dd394e5e9d4004cd48f',
  '9fcdf34a582e932c923ed915876779a8a2b883692763f904c9de72b030bdc03a',
];

/** Tables of SQLite, of workerd, of `wrangler dev` and of processes; no migration creates them. */
const FOREIGN_TABLE = /^(sqlite_|_cf_|__miniflare_|process_alarm$)/;

export function appliedTo(database: Database, migrations: Migrations): Applied {
  const tables = tablesIn(database);
  if (tables.length === 0) return { count: 0, isNoted: false };
  const [row] = tables.some(({ name }) => name === 'meta')
    ? database.all<{ value: string }>("SELECT value FROM meta WHERE key = 'schema'")
    : [];
  if (row === undefined) throw unknownSchema(DIFFERENT);
  if (row.value === '1') return appliedBeforeHashes(database, tables, migrations);
  const kept = hashesIn(row.value);
  const known = hashesOf(migrations);
  if (kept.length > known.length) throw unknownSchema(NEWER);
  if (kept.some((hash, index) => hash !== known[index])) throw unknownSchema(DIFFERENT);
  return { count: kept.length, isNoted: true };
}

/**
 * Call it inside the transaction of the first write, so that a new object costs one commit. `whole` makes the tables of a new
 * database in one step, in place of the migrations.
 */
export function migrate(
  database: Database,
  migrations: Migrations,
  { count }: Applied,
  whole?: string,
): Applied {
  const isNew = count === 0 && whole !== undefined;
  for (const script of isNew ? [whole] : migrations.slice(count)) database.script(script);
  database.run(
    "INSERT INTO meta (key, value) VALUES ('schema', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    JSON.stringify(hashesOf(migrations)),
  );
  return { count: migrations.length, isNoted: true };
}

const hashed = new WeakMap<Migrations, readonly string[]>();

/** Migrations whose hashes are known: to compute all of them was three milliseconds of a start. */
export function listReleased(
  migrations: readonly { readonly text: string; readonly hash: string }[],
): Migrations {
  const texts = migrations.map(({ text }) => text);
  hashed.set(
    texts,
    migrations.map(({ hash }) => hash),
  );
  return texts;
}

export function hashesOf(migrations: Migrations): readonly string[] {
  const known = hashed.get(migrations);
  if (known !== undefined) return known;
  const made = migrations.map(sha256Hex);
  hashed.set(migrations, made);
  return made;
}

interface Table {
  readonly name: string;
  readonly sql: string;
}

function tablesIn(database: Database): Table[] {
  return database
    .all<Table>("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    .filter(({ name }) => !FOREIGN_TABLE.test(name));
}

/** The tables must be those of the first migration, and the log rows must have their present form. */
function appliedBeforeHashes(
  database: Database,
  tables: readonly Table[],
  [first = '']: Migrations,
): Applied {
  const isKnown = BEFORE_HASHES.includes(sha256Hex(first));
  const made = first.split('CREATE TABLE').length - 1;
  if (!isKnown || tables.length !== made || !tables.every(({ sql }) => first.includes(sql))) {
    throw unknownSchema(DIFFERENT);
  }
  const hasLog = tables.some(({ name }) => name === 'log');
  const [row] = hasLog
    ? database.all<{ start: string }>('SELECT substr(events, 1, 1) AS start FROM log LIMIT 1')
    : [];
  // Before the first release, a row of the log was a whole array.
  if (row?.start === '[') throw unknownSchema(DIFFERENT);
  return { count: 1, isNoted: false };
}

function hashesIn(text: string): readonly string[] {
  try {
    const hashes: unknown = JSON.parse(text);
    if (Array.isArray(hashes)) return hashes.map(String);
  } catch {
    // A text that is no JSON was written by an unknown version.
  }
  throw unknownSchema(DIFFERENT);
}

function unknownSchema(why: string): UnknownSchema {
  return new UnknownSchema(`${why} ${ADVICE}`);
}
