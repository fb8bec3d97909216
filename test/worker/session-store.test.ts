/**
 * The store in the SQLite of a Durable Object, by the same suite that `node:sqlite` and memory pass.
 *
 * A bug would look green on Node and break when deployed, because the two SQLites differ: in the rollback of
 * a transaction, the storage of numbers, or the reported count of written rows.
 */
import { env, runInDurableObject } from 'cloudflare:test';
import { describe } from 'vitest';
import { durableDatabase } from '../../src/platform/sqlite/database.ts';
import { NEW_SESSION, SESSION_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { SqliteSessionStore } from '../../src/platform/sqlite/session-store.ts';
import { sessionContract } from '../contract/session.contract.ts';
import { type WithStorage, sessionStoreContract } from '../contract/session-store.contract.ts';
import { freshName } from './support/api.ts';

/** Inside an object of its own, because its storage cannot be reached from outside. */
const withStorage: WithStorage = (test) =>
  runInDurableObject(
    env.SESSION.getByName(`contract/${freshName('ses')}`),
    (_object, { storage }) =>
      test({
        open: () =>
          new SqliteSessionStore(durableDatabase(storage), SESSION_MIGRATIONS, NEW_SESSION),
      }),
  );

describe('in a Durable Object', () => {
  sessionStoreContract(withStorage);
  sessionContract(withStorage);
});
