/**
 * A bug here would look like this: a person looks at an open inbox, an agent waits, and nothing moves;
 * or somebody whose key was taken away goes on reading what the agents ask.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InboxFrame } from '../../src/protocol/schema/inbox-frame.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { Listener, Listening } from '../../src/workspace/ports.ts';
import { TellingSession } from './reporting-session.ts';
import { steps, ToldModel } from './report-model.ts';
import { MINUTE, OLGA, World } from './workspace-harness.ts';

const ANYBODY: Listening = { chain: ['key_1'], expiresAt: null, held: false };

class FakeListener implements Listener {
  readonly attachment: Listening;
  readonly frames: InboxFrame[] = [];
  closed: number | null = null;
  isGone = false;
  readonly #world: World;

  constructor(world: World, attachment: Listening = ANYBODY) {
    this.#world = world;
    this.attachment = attachment;
    world.listeners.add(this);
  }

  send(text: string): void {
    if (this.isGone) throw new Error('Gone');
    this.frames.push(JSON.parse(text) as InboxFrame);
  }

  close(code: number): void {
    this.closed = code;
    this.#world.listeners.delete(this);
  }

  /** What a page that folds these frames would show, in no order. */
  shown(): string[] {
    const all = new Set<string>();
    for (const frame of this.frames) {
      if (frame.type === 'error') continue;
      const isPage = frame.type === 'inbox';
      for (const entry of isPage ? frame.interactions : frame.upserts) {
        all.add(`${entry.sessionId}/${entry.interactionId}`);
      }
      if (isPage) continue;
      for (const id of frame.removed) all.delete(`${frame.sessionId}/${id}`);
    }
    return [...all].toSorted();
  }
}

function listening(world: World, attachment?: Listening): FakeListener {
  const listener = new FakeListener(world, attachment);
  world.workspace.listen(listener);
  return listener;
}

describe('who has the inbox open', () => {
  it('[INBOX-2] shows what the pages show, whatever sessions tell and in whatever order', () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 20 }), (taken, from) => {
        const model = new ToldModel();
        for (const step of taken.slice(0, from)) model.take(step);
        const listener = listening(model.world);
        for (const step of taken.slice(from)) {
          model.take(step);
          expect(listener.shown()).toEqual(model.expected().inbox);
        }
        const last = listener.frames.at(-1);
        expect(last).toMatchObject({ total: model.expected().total });
      }),
      { numRuns: 200 },
    );
  });

  it('[INBOX-2] hears of nothing that was not written, and nothing when nothing changed', () => {
    const world = new World();
    const listener = listening(world);
    const session = new TellingSession('s-1').ask('a~1', world.now + MINUTE);
    world.workspace.hear(session.report());
    world.workspace.hear(session.report());
    world.workspace.hear(session.say().report(2));
    expect(listener.frames.map(({ type }) => type)).toEqual(['inbox', 'inbox_changed']);
  });

  it('[INBOX-2] is told the new title of what it has, and of no title otherwise', () => {
    const world = new World();
    const listener = listening(world);
    const session = new TellingSession('s-1').rename('Quiet');
    world.workspace.hear(session.report());
    expect(listener.frames).toHaveLength(1);
    world.workspace.hear(session.ask('a~1', null).report(2));
    world.workspace.hear(session.rename('Loud').report(3));
    expect(listener.frames.at(-1)).toMatchObject({
      sessionTitle: 'Loud',
      upserts: [],
      removed: [],
      total: 1,
    });
  });

  it('[INBOX-2, AUTH-7] hears nothing more once its time is over', () => {
    const world = new World();
    const soon = listening(world, { ...ANYBODY, expiresAt: world.now + MINUTE });
    const stays = listening(world);
    world.now += MINUTE;
    world.workspace.hear(new TellingSession('s-1').ask('a~1', null).report());
    expect(soon.frames.map(({ type }) => type)).toEqual(['inbox', 'error']);
    expect(soon.closed).toBe(4401);
    expect(stays.frames).toHaveLength(2);
  });

  it('[INBOX-2, AUTH-7] loses its connection with its credential, and cannot come back', async () => {
    const world = new World();
    const listener = listening(world, { ...ANYBODY, chain: ['tok_1', 'key_1'] });
    const other = listening(world, { ...ANYBODY, chain: ['key_2'] });
    await world.workspace.revoke('key_1', null, OLGA);
    expect(listener.closed).toBe(4401);
    expect(other.closed).toBeNull();
    const again = { ...ANYBODY, chain: ['tok_1', 'key_1'] };
    expect(world.workspace.mayListen(again)).toMatchObject({ code: 'unauthenticated' });
    expect(world.workspace.mayListen(other.attachment)).toBeUndefined();
  });

  it('[INBOX-2] is not kept from hearing by one that is gone', () => {
    const world = new World();
    const gone = listening(world);
    const stays = listening(world);
    gone.isGone = true;
    world.workspace.hear(new TellingSession('s-1').ask('a~1', null).report());
    expect(stays.frames).toHaveLength(2);
  });

  it('[INBOX-2] is sent away when it speaks: there is nothing to say to an inbox', () => {
    const world = new World();
    const listener = listening(world);
    world.workspace.heardFrom(listener);
    expect(listener.frames.at(-1)).toMatchObject({ type: 'error' });
    expect(listener.closed).toBe(1008);
  });

  it('[INBOX-2, LIM-2] is one of at most a thousand, streams counted apart', () => {
    const world = new World();
    for (let n = 0; n < LIMITS.sockets; n += 1) listening(world);
    expect(world.workspace.mayListen(ANYBODY)).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'sockets', max: LIMITS.sockets },
    });
    expect(world.workspace.mayListen({ ...ANYBODY, held: true })).toBeUndefined();
  });
});
