/**
 * The inbox as a fold. A bug here shows an ended item as open, or hides from a person that an agent waits for them.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InboxEntry, InboxPage } from '../../../src/protocol/types.ts';
import {
  markAnswered,
  applyFirstPage,
  applyChange,
  appendPage,
  EMPTY_INBOX,
  countFinished,
  type InboxState,
  inboxKeyOf,
  removeFinished,
  countUnread,
} from '../../../src/web/model/inbox.ts';

const PAGE = 3;

/** Every third item is beyond the share of its root. */
function entryOf(n: number, expiresAt: number | null): InboxEntry {
  return {
    ...(n % 3 === 0 && { beyondShare: true }),
    openedBy: { credential: 'key_1', subject: 'agent' },
    sessionId: `s-${n % 2}`,
    sessionTitle: null,
    interactionId: `call-${n}~1`,
    toolCallId: `call-${n}`,
    toolName: 'Bash',
    kind: 'approval',
    presentation: 'tool',
    request: { input: {} },
    inputDigest: '',
    openedAt: 0,
    expiresAt,
  };
}

function byDeadline(one: InboxEntry, other: InboxEntry): number {
  const at = (one.expiresAt ?? Infinity) - (other.expiresAt ?? Infinity);
  return at || (inboxKeyOf(one) < inboxKeyOf(other) ? -1 : 1);
}

/** The items of a server, and its messages. */
class Server {
  readonly open = new Map<string, InboxEntry>();
  now = 1;
  #made = 0;

  order(): InboxEntry[] {
    return [...this.open.values()].toSorted(byDeadline);
  }

  /** The order of the pages. */
  listed(): InboxEntry[] {
    const isLate = ({ beyondShare }: InboxEntry) => Number(beyondShare ?? false);
    return this.order().toSorted((one, other) => isLate(one) - isLate(other));
  }

  page(after?: string): InboxPage {
    const from = after === undefined ? this.listed() : this.#behind(after);
    const last = from.slice(0, PAGE).at(-1);
    const interactions = from.slice(0, PAGE).toSorted(byDeadline);
    const next = from.length > PAGE && last !== undefined ? JSON.stringify(last) : undefined;
    const { now } = this;
    return { interactions, total: this.open.size, now, ...(next !== undefined && { next }) };
  }

  /** The items after the position of the cursor. */
  #behind(after: string): InboxEntry[] {
    const last = JSON.parse(after) as InboxEntry;
    const held = this.open.get(inboxKeyOf(last));
    this.open.set(inboxKeyOf(last), last);
    const all = this.listed();
    if (held === undefined) this.open.delete(inboxKeyOf(last));
    else this.open.set(inboxKeyOf(last), held);
    const at = all.findIndex((one) => inboxKeyOf(one) === inboxKeyOf(last));
    return all.slice(at + 1).filter((one) => this.open.has(inboxKeyOf(one)));
  }

  ask(expiresAt: number | null): InboxEntry {
    const entry = entryOf((this.#made += 1), expiresAt);
    this.open.set(inboxKeyOf(entry), entry);
    return entry;
  }

  change(entry: InboxEntry, isOpen: boolean) {
    this.now += 1;
    const { sessionId, sessionTitle, interactionId } = entry;
    if (isOpen) this.open.set(inboxKeyOf(entry), entry);
    else this.open.delete(inboxKeyOf(entry));
    const upserts = isOpen ? [entry] : [];
    const removed = isOpen ? [] : [interactionId];
    const { now } = this;
    return { sessionId, sessionTitle, upserts, removed, total: this.open.size, now };
  }
}

const deed = fc.oneof(
  fc.record({ do: fc.constant('ask' as const), in: fc.option(fc.nat({ max: 5 }), { nil: null }) }),
  fc.record({ do: fc.constantFrom('settle' as const, 'extend' as const), nth: fc.nat({ max: 9 }) }),
  fc.record({ do: fc.constantFrom('read' as const, 'arrive' as const, 'reconnect' as const) }),
);

const open = (state: InboxState) =>
  state.items.filter(({ isOpen }) => isOpen).map(({ key }) => key);

describe('the inbox of a page', () => {
  it('[UI-9] shows no ended item as open, however late its pages come, and every item once all are read', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
        const server = new Server();
        let state = applyFirstPage(EMPTY_INBOX, server.page());
        let reading: { from: string; page: InboxPage } | undefined;
        const read = () => {
          const from = state.next;
          if (from !== undefined) reading = { from, page: server.page(from) };
        };
        const arrive = () => {
          if (reading !== undefined) state = appendPage(state, reading.page, reading.from);
          reading = undefined;
        };
        for (const one of deeds) {
          const all = server.order();
          const entry = 'nth' in one ? all[one.nth % Math.max(1, all.length)] : undefined;
          if (one.do === 'ask') state = applyChange(state, server.change(server.ask(one.in), true));
          if (one.do === 'settle' && entry) state = applyChange(state, server.change(entry, false));
          if (one.do === 'extend' && entry)
            state = applyChange(state, server.change({ ...entry, expiresAt: 9 }, true));
          if (one.do === 'read') read();
          if (one.do === 'arrive') arrive();
          if (one.do === 'reconnect') {
            server.now += 1;
            state = applyFirstPage(state, server.page());
          }
          expect(open(state).filter((key) => !server.open.has(key))).toEqual([]);
          expect(state.total).toBe(server.open.size);
          expect(countUnread(state) > 0 || open(state).length === server.open.size).toBe(true);
        }
        arrive();
        while (state.next !== undefined) {
          read();
          arrive();
        }
        expect(open(state)).toEqual(server.order().map(inboxKeyOf));
      }),
      { numRuns: 500 },
    );
  });

  it('[UI-9] keeps an ended item in its position until the person clears it', () => {
    const server = new Server();
    const entries = [1, 2, 3].map((at) => server.ask(at));
    const state = applyFirstPage(EMPTY_INBOX, server.page());
    const [first, second] = entries;
    if (first === undefined || second === undefined) throw new Error('Three were asked');
    const after = markAnswered(applyChange(state, server.change(first, false)), inboxKeyOf(second));
    expect(after.items.map(({ key }) => key)).toEqual(entries.map(inboxKeyOf));
    expect(countFinished(after)).toBe(2);
    expect(removeFinished(after).items).toHaveLength(1);
  });

  it('[UI-9] calls a session by its new title wherever it is listed', () => {
    const server = new Server();
    const entry = server.ask(1);
    const state = applyFirstPage(EMPTY_INBOX, server.page());
    const { total, now } = server.page();
    const named = { sessionId: entry.sessionId, sessionTitle: 'Deploy', upserts: [], removed: [] };
    expect(applyChange(state, { ...named, total, now }).items[0]?.entry.sessionTitle).toBe(
      'Deploy',
    );
  });
});
