/**
 * What this browser keeps for its service worker: the device, and the credential of the person who allowed it.
 *
 * A worker cannot read the storage of pages, so the credential is in IndexedDB as well, of the same origin and within reach
 * of the same code. It is there only while the device is allowed: signing out and removing the device erase it.
 */
import type { DeviceRecord } from './notifications.ts';

const DATABASE = 'holdpoint';
const STORE = 'device';
const KEY = 'present';

export function readDeviceRecord(): Promise<DeviceRecord | undefined> {
  return inStore('readonly', (store) => store.get(KEY)) as Promise<DeviceRecord | undefined>;
}

export async function saveDeviceRecord(record: DeviceRecord): Promise<void> {
  await inStore('readwrite', (store) => store.put(record, KEY));
}

export async function eraseDeviceRecord(): Promise<void> {
  await inStore('readwrite', (store) => store.delete(KEY));
}

async function inStore(
  mode: 'readonly' | 'readwrite',
  work: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const database = await open();
  try {
    return await resultOf(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  return resultOf(request);
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((done, failed) => {
    request.addEventListener('success', () => done(request.result));
    request.addEventListener('error', () => failed(request.error ?? new Error('No storage')));
  });
}
