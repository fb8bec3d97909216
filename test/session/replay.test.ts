/**
 * From replay to live. A bug would look like an event that a client never sees, or sees twice, just
 * because it came while the client was catching up.
 */
import { describe, expect, it } from 'vitest';
import { answer, append, askApproval } from '../support/asks.ts';
import { agent } from '../support/callers.ts';
import { MINUTE, START } from '../support/core-world.ts';
import { countBytes } from '../../src/protocol/bytes.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { sessionAfter, startedSession } from '../support/session-storage.ts';
import type { SessionWorld } from '../support/session-world.ts';

function note(text = 'Working') {
  return append({ type: 'assistant_text', payload: { text } });
}

const LARGE = note('x'.repeat(200_000));

/** Seven frames of 200 KB are sent before others get their turn: two events in the first, then one in each. */
const [ONCE, TWICE] = [8, 15];

/** A log of that many events, of which all but the first are too large to share a frame. */
async function longSession(events: number): Promise<SessionWorld> {
  const world = await startedSession();
  for (let count = 1; count < events; count += 1) world.must(LARGE);
  await world.quiet();
  return world;
}

function upTo(head: number, after = 0): number[] {
  return Array.from({ length: head - after }, (_, index) => after + index + 1);
}

describe('the first frame', () => {
  it('[WS-1, TRN-4, TIME-4] lists the open interactions, before any history', async () => {
    const world = await sessionAfter(askApproval());
    world.now += MINUTE;
    const socket = world.connect();
    expect(socket.frames[0]).toMatchObject({
      type: 'welcome',
      protocol: 'holdpoint.v1',
      session: { id: 'session-1', waitingForPerson: true },
      head: 3,
      now: START + MINUTE,
      open: [
        {
          interactionId: 'call-1~1',
          openedAt: START,
          expiresAt: START + 10 * MINUTE,
          agentWaiting: false,
        },
      ],
    });
    expect(socket.frames.map((frame) => frame.type)).toEqual(['welcome', 'events']);
  });

  it('[WS-1] comes alone when nothing is missing', async () => {
    const world = await sessionAfter(askApproval());
    const socket = world.connect({ after: 3 });
    expect(socket.frames.map((frame) => frame.type)).toEqual(['welcome']);
    world.must(note());
    expect(socket.seqs).toEqual([4]);
  });

  it('[WS-1, TIME-2] stays the first when time ends something just then', async () => {
    const world = await sessionAfter(askApproval());
    const live = world.connect({ after: 3 });
    const all = world.sockets;
    const request = world.subscription({ after: 1 });
    world.now = START + 10 * MINUTE - 1;
    const { push } = all;
    all.push = (...sockets) => {
      world.now += 1;
      return push.apply(all, sockets);
    };
    const socket = world.attach(request);
    if ('ok' in socket) throw new Error(socket.message);
    expect(socket.frames.map((frame) => frame.type)).toEqual(['welcome', 'events']);
    expect(socket.frames[0]).toMatchObject({ head: 5, open: [] });
    expect(socket.seqs).toEqual([2, 3, 4, 5]);
    expect(live.seqs).toEqual([4, 5]);
  });
});

describe('a cursor', () => {
  it.each([0, 1, 2, 3, 6, 7])(
    '[WS-1, TRN-4] of %i gets exactly what comes after it',
    async (after) => {
      const world = await sessionAfter(askApproval(), append(...note().events, ...note().events));
      world.must(answer('call-1~1', { decision: 'deny' }));
      const socket = world.connect({ after });
      world.must(note());
      expect(socket.seqs).toEqual(upTo(8, after));
      expect(socket.events).toEqual(world.log().slice(after));
    },
  );

  it('[WS-1, LOG-6] beyond the head is refused, and says where the head is', async () => {
    const world = await sessionAfter(askApproval());
    expect(world.attach(world.subscription({ after: 4 }))).toMatchObject({
      ok: false,
      code: 'cursor_ahead',
      details: { head: 3 },
    });
    expect(world.sockets).toEqual([]);
  });
});

describe('a long replay', () => {
  it('[WS-1, WS-5] gives the others their turn after some 1.25 MB', async () => {
    const world = await longSession(20);
    const socket = world.connect();
    expect(socket.seqs).toEqual(upTo(ONCE));
    world.later.run(0);
    expect(socket.seqs).toEqual(upTo(TWICE));
    world.later.run(0);
    expect(socket.seqs).toEqual(upTo(20));
    expect(world.later.size).toBe(0);
  });

  it('[WS-1, LOG-4] has no gap and no doubling while events keep coming', async () => {
    const world = await longSession(20);
    const early = world.connect({ after: 20 });
    const socket = world.connect();
    const late = world.connect({ after: 15 });
    for (let round = 0; round < 4; round += 1) {
      world.must(note(`Round ${round}`));
      world.later.run(0);
    }
    world.must(note('Live'));
    expect(socket.events).toEqual(world.log());
    expect(early.seqs).toEqual(upTo(25, 20));
    expect(late.seqs).toEqual(upTo(25, 15));
  });

  it('[WS-1] an event in the very last step is received once', async () => {
    for (let steps = 0; steps < 6; steps += 1) {
      const world = await longSession(24);
      const socket = world.connect();
      for (let step = 0; step < steps; step += 1) world.later.run(0);
      world.must(note('In between'));
      await world.quiet();
      world.must(note('After'));
      expect(socket.seqs).toEqual(upTo(26));
    }
  });

  it('[WS-5] whose client leaves in the middle stops, and its close is no news', async () => {
    const world = await longSession(30);
    const socket = world.connect();
    world.drop(socket);
    await world.quiet();
    expect(socket.seqs).toEqual(upTo(ONCE));
    const other = world.connect();
    await world.quiet();
    expect(other.seqs).toEqual(upTo(30));
  });

  it('[WS-5] whose client has vanished unnoticed stops at the first frame that fails', async () => {
    const world = await longSession(30);
    const socket = world.connect();
    socket.gone = true;
    await world.quiet();
    expect(socket.seqs).toEqual(upTo(ONCE));
    expect(world.later.size).toBe(0);
  });

  it('[AUTH-7] ends when the credential does', async () => {
    const world = await longSession(30);
    const socket = world.connect({ expiresAt: world.now + 1_000 });
    world.later.run(0);
    expect(socket.seqs).toEqual(upTo(TWICE));
    world.now += 1_000;
    await world.quiet();
    expect(socket.seqs).toEqual(upTo(TWICE));
    expect(socket.last).toMatchObject({ type: 'error', error: { code: 'unauthenticated' } });
    expect(socket.closed).toMatchObject({ code: 4401 });
  });

  it('[AUTH-7] ends when the credential is revoked', async () => {
    const world = await longSession(30);
    const socket = world.connect();
    world.session.subscribers.revoke('cred-ada');
    await world.quiet();
    expect(socket.seqs).toEqual(upTo(ONCE));
    expect(socket.closed).toMatchObject({ code: 4401 });
  });

  it('[LOG-9] ends when the session is deleted', async () => {
    const world = await longSession(30);
    const socket = world.connect();
    await world.ask({ type: 'session.delete' });
    await world.quiet();
    expect(socket.seqs).toEqual(upTo(ONCE));
    expect(socket.closed).toMatchObject({ code: 4404 });
  });
});

describe('a frame of events', () => {
  /** The published bound of a frame: 256 KiB, or one event. */
  function expectFrames(socket: { readonly texts: readonly string[] }): number[] {
    const frames = socket.texts.filter((text) => text.startsWith('{"type":"events"'));
    return frames.map((text) => {
      const { events } = JSON.parse(text) as { events: unknown[] };
      expect(events.length === 1 || countBytes(text) <= LIMITS.eventFrameBytes).toBe(true);
      return events.length;
    });
  }

  const mixed = append(
    ...[1_000, 150_000, 80_000, 200_000, 5_000].flatMap((size) => note('y'.repeat(size)).events),
  );

  it('[WS-1] replayed holds what fits, and one event at least', async () => {
    const world = await sessionAfter(mixed, note(), LARGE, LARGE);
    const socket = world.connect();
    await world.quiet();
    expect(expectFrames(socket).every((count) => count > 0)).toBe(true);
    expect(socket.events).toEqual(world.log());
  });

  it('[WS-1] live is the command, or its events one by one', async () => {
    const world = await startedSession();
    const socket = world.connect({ after: 1 });
    world.must(mixed);
    world.must(append(...note().events, ...note().events));
    expect(expectFrames(socket)).toEqual([1, 1, 1, 1, 1, 2]);
    expect(socket.events).toEqual(world.log().slice(1));
  });

  it.each([
    ['of one octet', 'x', 1],
    ['of four octets', '\u{1f600}', 4],
  ])('[WS-1] has at most 256 KiB in octets, of characters %s', async (_, character, octets) => {
    const texts = (count: number) => {
      const text = character.repeat(Math.floor(LIMITS.eventFrameBytes / octets / count));
      return append(...Array.from({ length: count }, () => note(text).events).flat());
    };
    const world = await startedSession();
    const live = world.connect({ after: 1 });
    for (const count of [3, 10, 100]) world.must(texts(count));
    const replayed = world.connect({ after: 1 });
    await world.quiet();
    expect(expectFrames(live)).toEqual(Array.from({ length: 113 }, () => 1));
    // The texts alone fill the frame: with the text around them, one event less fits.
    expect(Math.max(...expectFrames(replayed))).toBeGreaterThan(50);
    for (const socket of [live, replayed]) expect(socket.events).toEqual(world.log().slice(1));
  });

  it('[WS-1] replayed never holds more than 256', async () => {
    const world = await startedSession();
    const batch = append(...Array.from({ length: 700 }, () => note().events).flat());
    world.must(batch);
    const socket = world.connect({ caller: agent() });
    expect(expectFrames(socket)).toEqual([256, 256, 189]);
  });
});
