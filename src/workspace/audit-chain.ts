/**
 * Adds entries to the end of the audit chain, inside the transaction of the change that they record: a change without
 * its entry, or an entry that two transactions give the same number, cannot be.
 *
 * Entries from before there was a chain have no hash. They are chained by the first entry that is added after them, in
 * the order that they were shown in, and an entry says how many they were: their hashes prove only what stood there then.
 */
import { sha256Hex } from '../core/digest.ts';
import { auditGenesis, hashAuditEntry, readAuditMembers } from '../protocol/audit-chain.ts';
import type { AuditEntry } from '../protocol/schema/workspace.ts';
import type { AuditTable, WorkspaceStore } from './store.ts';

/** The rows of earlier versions that are in memory at once. */
const CHAINED_AT_ONCE = 1_000;

/** No session has the empty id. */
export const WORKSPACE_SOURCE = '';

type ChainStore = Pick<WorkspaceStore, 'audit' | 'name'>;
type NewEntry = Omit<AuditEntry, 'seq'> & { readonly seq?: number };

/** Call it in a transaction. Returns the number of the entry. */
export function chainAuditEntry(
  store: ChainStore,
  source: string,
  entry: NewEntry,
  recordedAt: number,
): number {
  chainEarlierEntries(store, recordedAt);
  return append(store, source, entry, recordedAt);
}

function append(store: ChainStore, source: string, entry: NewEntry, recordedAt: number): number {
  const head = store.audit.head();
  const number = (head?.number ?? 0) + 1;
  const seq = entry.seq ?? number;
  const text = JSON.stringify({ ...entry, seq });
  const link = { number, previous: head?.hash ?? genesisOf(store) };
  store.audit.append({
    number,
    at: entry.at,
    // A clock that goes back must not hide an entry from a search by time.
    recordedAt: Math.max(recordedAt, head?.recordedAt ?? 0),
    source,
    seq,
    entry: text,
    hash: hashAuditEntry(readAuditMembers(text), link, sha256Hex),
  });
  return number;
}

/** Writes nothing when every entry has its hash. */
export function chainEarlierEntries(store: ChainStore, now: number): void {
  const head = store.audit.head();
  if (head === undefined || head.hash !== null) return;
  const count = chainRows(store);
  append(
    store,
    WORKSPACE_SOURCE,
    { at: now, what: 'audit', subject: 'system', via: 'system', change: 'chained', count },
    now,
  );
}

function chainRows(store: ChainStore): number {
  const { audit } = store;
  let previous = genesisOf(store);
  let count = 0;
  for (let after = 0; ; ) {
    const rows = audit.readFrom(after, CHAINED_AT_ONCE);
    for (const { number, entry, hash } of rows) {
      after = number;
      const made = hash ?? hashAuditEntry(readAuditMembers(entry), { number, previous }, sha256Hex);
      if (hash === null) {
        audit.setHash(number, made);
        count += 1;
      }
      previous = made;
    }
    if (rows.length < CHAINED_AT_ONCE) return count;
  }
}

/** What the first entry of this workspace follows. */
export function genesisOf(store: Pick<WorkspaceStore, 'name'>): string {
  return auditGenesis(store.name() ?? '', sha256Hex);
}

/** The end of the list, to be kept elsewhere; null until an entry is chained. */
export function auditHead(audit: AuditTable): { number: number; hash: string } | null {
  const head = audit.head();
  return head === undefined || head.hash === null ? null : { number: head.number, hash: head.hash };
}
