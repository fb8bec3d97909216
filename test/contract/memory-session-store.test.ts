/** The store in memory keeps the contract too; without this a bug would show only in other tests. */
import { describe } from 'vitest';
import { memoryStorage } from '../support/session-storage.ts';
import { sessionContract } from './session.contract.ts';
import { sessionStoreContract } from './session-store.contract.ts';

describe('in memory', () => {
  sessionStoreContract((test) => test(memoryStorage()));
  sessionContract((test) => test(memoryStorage()));
});
