/**
 * Laws of the connection over any order of events. A bug would look like an event delivered twice or out of
 * order, a connection that never comes back, or a server that is hammered.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance, beginConnection } from '../../src/client/connection/machine.ts';
import {
  type ConnectionAction,
  type ConnectionEvent,
  type ConnectionState,
  dueAt,
  connectionStatusOf,
} from '../../src/client/connection/state.ts';
import { backoff, TIMING } from '../../src/client/backoff.ts';
import {
  CURSOR,
  event,
  HAPPENINGS,
  NOW,
  PHASES,
  snapshot,
} from '../support/client/connection-cases.ts';

const SURROUNDINGS = { hasSockets: true, isOnline: true, isVisible: true };

/** Any event, with any stretch of a log of any seqs in it. */
const anyEvent: fc.Arbitrary<ConnectionEvent> = fc.oneof(
  fc.constantFrom(...Object.values(HAPPENINGS).map((happening) => happening.event)),
  fc
    .array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 })
    .map((seqs): ConnectionEvent => ({ type: 'events', events: seqs.map(event) })),
  fc.nat(12).map((head): ConnectionEvent => ({ type: 'welcome', snapshot: snapshot(head) })),
);
const anyMoments = fc.array(
  fc.record({
    event: anyEvent,
    ms: fc.nat(40_000),
    chance: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 60 },
);

function isConnected({ phase }: ConnectionState): boolean {
  return phase.type === 'connecting' || phase.type === 'replaying' || phase.type === 'live';
}

describe('any history of a connection', () => {
  it('[TRN-4] delivers each event once, in order, and never past a gap', () => {
    fc.assert(
      fc.property(anyMoments, fc.nat(5), (moments, after) => {
        let { state } = beginConnection(
          { after, ...SURROUNDINGS },
          { now: 0, chance: 0, timing: TIMING },
        );
        let now = 0;
        const seqs: number[] = [];
        for (const moment of moments) {
          now += moment.ms;
          const step = advance(state, moment.event, { now, chance: moment.chance, timing: TIMING });
          state = step.state;
          for (const action of step.actions) {
            if (action.type === 'deliver') seqs.push(...action.events.map(({ seq }) => seq));
          }
        }
        expect(seqs).toEqual(seqs.map((_, index) => after + 1 + index));
        expect(state.memory.cursor).toBe(after + seqs.length);
      }),
    );
  });

  it('[TRN-4] makes one connection at a time, and leaves each phase by a time or a named event', () => {
    fc.assert(
      fc.property(anyMoments, (moments) => {
        const first = beginConnection(
          { after: 0, ...SURROUNDINGS },
          { now: 0, chance: 0, timing: TIMING },
        );
        let { state } = first;
        let now = 0;
        for (const moment of moments) {
          now += moment.ms;
          const before = state;
          const step = advance(state, moment.event, { now, chance: moment.chance, timing: TIMING });
          state = step.state;
          const types = step.actions.map(({ type }: ConnectionAction) => type);
          const made = types.filter((type) => type === 'connect').length;
          expect(made).toBeLessThanOrEqual(1);
          // A second one only where the first is over: it was closed, or there was none.
          if (made === 1 && isConnected(before)) expect(moment.event).toMatchObject({ code: 4401 });
          if (isConnected(before) && !isConnected(state)) expect(types).toContain('drop');
          if (made === 1) expect(state.phase.type).toBe('connecting');
          const { type } = state.phase;
          const isTimed = type !== 'paused' && type !== 'closed';
          expect(dueAt(state) !== undefined).toBe(isTimed);
          expect(connectionStatusOf(state).type).toBe(type);
          if (type === 'live') expect(state.memory.cursor).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('[TRN-4] changes nothing once it is closed', () => {
    fc.assert(
      fc.property(anyMoments, (moments) => {
        const closed = PHASES.closed;
        if (closed === undefined) throw new Error('No such case');
        for (const { event, ms, chance } of moments) {
          expect(advance(closed, event, { now: ms, chance, timing: TIMING })).toEqual({
            state: closed,
            actions: [],
          });
        }
      }),
    );
  });

  it('[TRN-4] waits within the bounds of its backoff, and chance only shortens the wait', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, chance) => {
        const ms = backoff(attempt, chance, TIMING);
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(Math.min(TIMING.capMs, TIMING.baseMs * 2 ** attempt));
        expect(ms).toBeLessThanOrEqual(backoff(attempt, 1, TIMING));
      }),
    );
  });
});

/** Plays events, one second apart by default, and keeps the actions. */
function play(hasSockets = true) {
  let now = NOW;
  const first = beginConnection(
    { after: CURSOR, ...SURROUNDINGS, hasSockets },
    { now, chance: 1, timing: TIMING },
  );
  let { state } = first;
  const actions: ConnectionAction[] = [...first.actions];
  return {
    get state() {
      return state;
    },
    actions,
    take(happened: ConnectionEvent, ms = 1) {
      now += ms;
      const step = advance(state, happened, { now, chance: 1, timing: TIMING });
      state = step.state;
      actions.push(...step.actions);
    },
    /** Lets its time come. */
    wait() {
      const at = dueAt(state) ?? now;
      now = Math.max(now, at);
      this.take({ type: 'due' }, 0);
    },
    connects() {
      return actions.flatMap((action) => (action.type === 'connect' ? [action.link] : []));
    },
  };
}
const LOST: ConnectionEvent = { type: 'closed', code: 1006 };
const WELCOME: ConnectionEvent = { type: 'welcome', snapshot: snapshot(CURSOR) };

describe('a connection', () => {
  it('[TRN-4] tries a stream after two sockets that did not open, and sockets again after it', () => {
    const world = play();
    for (let tries = 0; tries < 6; tries += 1) {
      world.take(LOST);
      world.wait();
    }
    expect(world.connects()).toEqual([
      'socket',
      'socket',
      'stream',
      'socket',
      'socket',
      'stream',
      'socket',
    ]);
  });

  it('[TRN-4] keeps a stream that works, and tries one socket when it ends', () => {
    const world = play();
    for (const next of [LOST, LOST, WELCOME, LOST, LOST, WELCOME]) {
      world.take(next);
      if (next === LOST) world.wait();
    }
    expect(world.connects()).toEqual(['socket', 'socket', 'stream', 'socket', 'stream']);
    expect(world.state.phase).toMatchObject({ type: 'live', link: 'stream' });
  });

  it('[TRN-4] uses streams alone where there are no sockets', () => {
    const world = play(false);
    for (let tries = 0; tries < 3; tries += 1) {
      world.take(LOST);
      world.wait();
    }
    expect(new Set(world.connects())).toEqual(new Set(['stream']));
  });

  it('[TRN-4] waits longer each time a server welcomes it and hangs up', () => {
    const world = play();
    const delays: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      world.take(WELCOME);
      world.take(LOST);
      const { phase } = world.state;
      if (phase.type === 'waiting') delays.push(phase.dueAt - NOW);
      world.wait();
    }
    const pauses = delays.map((at, index) => at - (delays[index - 1] ?? 0));
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(TIMING.capMs);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  });

  it('[TRN-4] restarts its backoff after a new event, and after a connection that lasted', () => {
    const world = play();
    for (let tries = 0; tries < 5; tries += 1) {
      world.take(LOST);
      world.wait();
    }
    world.take({ type: 'welcome', snapshot: snapshot(CURSOR + 1) });
    world.take({ type: 'events', events: [event(CURSOR + 1)] });
    world.take(LOST);
    expect(connectionStatusOf(world.state)).toMatchObject({ type: 'waiting', attempt: 1 });
    world.wait();
    world.take({ type: 'welcome', snapshot: snapshot(CURSOR + 1) });
    world.take(LOST, TIMING.stableMs);
    expect(connectionStatusOf(world.state)).toMatchObject({ type: 'waiting', attempt: 1 });
  });

  it('[TRN-4] notices within 30 seconds that the server is gone', () => {
    expect(TIMING.quietMs + TIMING.pongMs).toBeLessThan(30_000);
    const world = play();
    world.take(WELCOME);
    world.wait();
    expect(world.actions.at(-1)).toEqual({ type: 'ping' });
    world.take({ type: 'alive' });
    world.wait();
    expect(world.actions.at(-1)).toEqual({ type: 'ping' });
    world.wait();
    expect(world.state.phase.type).toBe('waiting');
  });

  it('[TRN-4] gives up a server that accepts and sends nothing', () => {
    const world = play();
    world.take({ type: 'opened' }, 1_000);
    expect(dueAt(world.state)).toBe(NOW + 1_000 + TIMING.openMs);
    world.wait();
    expect(world.state.phase.type).toBe('waiting');
  });

  it('[TRN-7] requests a token again each time a valid token expires', () => {
    const world = play();
    for (let round = 0; round < 3; round += 1) {
      world.take(WELCOME);
      world.take({ type: 'closed', code: 4401 }, TIMING.stableMs);
      expect(world.actions.at(-1)).toMatchObject({ type: 'connect', isRenewal: true });
    }
    world.take({ type: 'closed', code: 4401 });
    expect(world.state.phase).toEqual({ type: 'paused', reason: 'unauthenticated' });
    world.take({ type: 'online' });
    expect(world.state.phase.type).toBe('paused');
    world.take({ type: 'reconnect' });
    expect(world.actions.at(-1)).toMatchObject({ type: 'connect', isRenewal: true });
  });

  it('[TRN-7] requests a new token when the old token expired while offline', () => {
    const world = play();
    world.take({ type: 'closed', code: 4401 });
    world.take(WELCOME);
    world.take(LOST, TIMING.stableMs);
    world.wait();
    world.take({ type: 'closed', code: 4401 });
    expect(world.actions.at(-1)).toMatchObject({ type: 'connect', isRenewal: true });
  });

  it('[TRN-4] waits as long as the server asks', () => {
    const world = play();
    const details = { retryAfterSeconds: 40 };
    const refusal = { code: 'rate_limited', message: 'Too many', details };
    world.take({ type: 'refusal', refusal });
    world.take({ type: 'closed', code: 1013 });
    expect((dueAt(world.state) ?? 0) - NOW).toBeGreaterThanOrEqual(40_000);
  });

  it('carries the message of the server in its error, with advice for a person', () => {
    const world = play();
    world.take({ type: 'refusal', refusal: { code: 'session_deleted', message: 'It is gone' } });
    world.take({ type: 'closed', code: 4404 });
    expect(world.state.phase).toMatchObject({
      type: 'closed',
      error: { code: 'session_deleted', message: 'It is gone', origin: 'server', retry: 'never' },
    });
    const other = play();
    other.take({ type: 'foreign', protocol: 'holdpoint.v9' });
    expect(other.state.phase).toMatchObject({ error: { code: 'protocol_mismatch' } });
    expect(JSON.stringify(connectionStatusOf(other.state))).toBeTruthy();
    const { phase } = other.state;
    expect(phase.type === 'closed' && phase.error?.message).toMatch(/holdpoint\.v9.*Reload/);
  });
});
