/**
 * Many connections on one session. A bug would look like a dead one that delays the others, or one that still receives
 * after its credential was revoked.
 */
import { describe, expect, it } from 'vitest';
import { answer, append, askApproval, sendMessage } from '../support/asks.ts';
import { agent, holding, person, reader } from '../support/callers.ts';
import type { Caller } from '../../src/protocol/caller.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { sessionAfter, startedSession } from '../support/session-storage.ts';
import type { FakeSocket } from '../support/fake-socket.ts';
import type { SessionWorld } from '../support/session-world.ts';

const NOTE = append({ type: 'assistant_text', payload: { text: 'Working' } });

describe('a socket that is gone', () => {
  it('[WS-5] does not delay the others', async () => {
    const world = await sessionAfter(askApproval());
    const sockets = [world.connect(), world.connect(), world.connect()];
    const waiters = [world.waitFor('call-1~1'), world.waitFor('call-1~1')];
    const [first, , last] = sockets;
    if (first !== undefined) first.gone = true;
    if (waiters[0] !== undefined) waiters[0].gone = true;
    world.must(answer('call-1~1', { decision: 'deny' }));
    expect(first?.seqs).toEqual([1, 2, 3]);
    expect(last?.seqs).toEqual([1, 2, 3, 4, 5]);
    expect(waiters[1]?.last).toMatchObject({ type: 'settled' });
  });

  it('[WS-5] that cannot even be closed does not keep the others from being closed', async () => {
    const world = await startedSession();
    const sockets = [world.connect(), world.connect(), world.connect()];
    if (sockets[0] !== undefined) sockets[0].gone = true;
    world.session.subscribers.revoke('cred-ada');
    expect(sockets.map((socket) => socket.closed?.code)).toEqual([undefined, 4401, 4401]);
  });

  it('[WS-5] before its welcome does no harm', async () => {
    const world = await sessionAfter(askApproval());
    const { push } = world.sockets;
    world.sockets.push = (...sockets) => {
      for (const socket of sockets) socket.gone = true;
      return push.apply(world.sockets, sockets);
    };
    expect(world.connect().texts).toEqual([]);
    expect(world.waitFor('call-1~1').texts).toEqual([]);
    world.must(answer('call-1~1', { decision: 'deny' }));
    expect(world.waitFor('call-1~1').texts).toEqual([]);
    world.must(NOTE);
    expect(world.later.size).toBe(1);
  });
});

describe('a credential that has expired', () => {
  it('[AUTH-7] receives nothing more and is closed at the next event', async () => {
    const world = await startedSession();
    const socket = world.connect({ expiresAt: world.now + 1_000 });
    world.now += 999;
    world.must(NOTE);
    expect(socket.seqs).toEqual([1, 2]);
    world.now += 1;
    world.must(NOTE);
    expect(socket.seqs).toEqual([1, 2]);
    expect(socket.last).toMatchObject({ type: 'error', error: { code: 'unauthenticated' } });
    expect(socket.closed).toEqual({ code: 4401, reason: 'unauthenticated' });
  });

  it('[AUTH-7] may say nothing more either', async () => {
    const world = await sessionAfter(askApproval());
    const socket = world.connect({ expiresAt: world.now + 1_000 });
    world.now += 1_000;
    const frame = { type: 'message', id: 'f-1', text: 'yes', replyTo: 'call-1~1' };
    await world.receive(socket, frame);
    expect(socket.closed).toMatchObject({ code: 4401 });
    expect(world.record('call-1~1').status).toBe('open');
  });

  it('[AUTH-7] is found after an eviction too', async () => {
    const world = await startedSession();
    const socket = world.connect({ expiresAt: world.now + 1_000 });
    await world.quiet();
    world.evict();
    world.now += 1_000;
    world.must(NOTE);
    expect(socket.closed).toMatchObject({ code: 4401 });
  });
});

describe('revoking', () => {
  it('[AUTH-7] closes the connections of the credential, and only those', async () => {
    const world = await startedSession();
    const own = world.connect({ caller: person('ada') });
    const minted = world.connect({
      caller: person('token'),
      chain: ['cred-token', 'cred-ada', 'root'],
    });
    const other = world.connect({ caller: person('bob') });
    world.session.subscribers.revoke('cred-ada');
    world.must(NOTE);
    for (const socket of [own, minted]) {
      expect(socket.last).toMatchObject({ type: 'error', error: { code: 'unauthenticated' } });
      expect(socket.closed).toMatchObject({ code: 4401 });
      expect(socket.seqs).toEqual([1]);
    }
    expect(other).toMatchObject({ closed: null, seqs: [1, 2] });
  });

  it('[AUTH-7] a frame that was on its way when it was closed does nothing', async () => {
    const world = await sessionAfter(askApproval());
    const socket = world.connect();
    world.session.subscribers.revoke('cred-ada');
    const approve = { decision: 'approve' };
    const frame = { type: 'answer', id: 'f-1', interactionId: 'call-1~1', answer: approve };
    await world.receive(socket, frame);
    expect(world.record('call-1~1').status).toBe('open');
  });

  it('[AUTH-7] ends a wait, and the outcome is not sent', async () => {
    const world = await sessionAfter(askApproval());
    const [revoked, other] = [agent(), agent('other')].map((caller) =>
      world.waitFor('call-1~1', { caller }),
    );
    world.session.subscribers.revoke('cred-agent');
    world.must(answer('call-1~1', { decision: 'approve' }));
    expect(revoked?.frames).toMatchObject([{ type: 'error', error: { code: 'unauthenticated' } }]);
    expect(revoked?.closed).toMatchObject({ code: 4401 });
    expect(other?.frames).toMatchObject([{ type: 'settled' }]);
  });
});

/** Every socket, and so many waits of agents, of twenty roots. */
function fill(world: SessionWorld, waits: number): FakeSocket[] {
  for (let count = 0; count < waits; count += 1) {
    world.waitFor('call-1~1', { caller: agent(`agent-${count % 20}`) });
  }
  return Array.from({ length: LIMITS.sockets }, (_, count) =>
    world.connect({ caller: person(`ada-${count % 20}`), after: 3 }),
  );
}

describe('how many', () => {
  it('[WS-5, LIM-2] a thousand sockets receive, and the next is refused with the name of the limit', async () => {
    const world = await startedSession();
    const sockets = Array.from({ length: LIMITS.sockets }, (_, n) =>
      world.connect({ caller: person(`ada-${n % 20}`), after: 1 }),
    );
    expect(world.attach(world.subscription())).toMatchObject({
      ok: false,
      code: 'limit_reached',
      details: { limit: 'sockets', max: 1_000 },
    });
    world.must(NOTE);
    expect(sockets.every((socket) => socket.seqs.join() === '2')).toBe(true);
  });

  it('[WS-4, LIM-2] waiters and streams have a limit of their own, together', async () => {
    const world = await sessionAfter(askApproval());
    fill(world, LIMITS.waiters - 1);
    const stream = world.connect({ after: 3, held: true });
    const limit = { code: 'limit_reached', details: { limit: 'waiters', max: 1_000 } };
    expect(world.attach(world.subscription({ held: true }))).toMatchObject(limit);
    expect(() => world.waitFor('call-1~1')).toThrow('limit_reached');
    world.must(sendMessage('Hello'));
    expect(stream.seqs).toEqual([4]);
  });

  it('[LIM-2, WS-4] sockets that left or whose wait ended no longer count', async () => {
    const world = await sessionAfter(askApproval());
    const [first] = fill(world, LIMITS.waiters);
    if (first !== undefined) world.drop(first);
    world.connect({ after: 3 });
    world.now += 55_000;
    expect(world.waitFor('call-1~1').closed).toBeNull();
    const expired = world.connect.bind(world, { after: 3 });
    expect(expired).toThrow('limit_reached');
  });
});

describe('how many of one root', () => {
  const tokenOf = (root: string, scopes: Caller['scopes'], n: number): Caller => ({
    ...holding(...scopes),
    credential: `tok_${root}_${n}`,
    root,
  });

  it('[LIM-7] fifty sockets of tokens that read, and the next is told what to do', async () => {
    const world = await startedSession();
    const read = (n: number) => world.subscription({ caller: tokenOf('key_1', ['read'], n) });
    for (let n = 0; n < 50; n += 1) expect(world.attach(read(n))).toHaveProperty('closed', null);
    expect(world.attach(read(50))).toMatchObject({
      code: 'limit_reached',
      message: expect.stringContaining('Close one of them'),
      details: { limit: 'rootSockets', max: 50 },
    });
    expect(world.connect({ caller: reader() }).closed).toBeNull();
  });

  it('[LIM-7] a person who answers, and an agent, of that root still connect', async () => {
    const world = await sessionAfter(askApproval());
    const read = (n: number) => ({ caller: tokenOf('key_1', ['read'], n) });
    for (let n = 0; n < 50; n += 1) {
      world.connect(read(n));
      world.connect({ ...read(n), held: true });
    }
    const waiting = { caller: tokenOf('key_1', ['read'], 0), agent: false };
    expect(() => world.waitFor('call-1~1', waiting)).toThrow('limit_reached');
    const caller = tokenOf('key_1', ['read', 'answer'], 0);
    expect(world.connect({ caller }).closed).toBeNull();
    expect(world.connect({ caller, held: true }).closed).toBeNull();
    const asking = { caller: tokenOf('key_1', ['agent'], 0) };
    expect(world.waitFor('call-1~1', asking).closed).toBeNull();
  });

  it('[LIM-7] an agent waits for each open request twice, and another agent still waits', async () => {
    const world = await sessionAfter(askApproval());
    for (let n = 0; n < 128; n += 1) world.waitFor('call-1~1');
    expect(() => world.waitFor('call-1~1')).toThrow('limit_reached');
    expect(world.waitFor('call-1~1', { caller: agent('other') }).closed).toBeNull();
  });

  it('[LIM-7] those who only read leave a quarter of all places to the others, whatever their roots', async () => {
    const world = await sessionAfter(askApproval());
    for (let n = 0; n < 750; n += 1) {
      const caller = reader(`rita-${n % 15}`);
      world.connect({ caller });
      world.connect({ caller, held: true });
    }
    for (const held of [false, true]) {
      expect(world.attach(world.subscription({ caller: reader('new'), held }))).toMatchObject({
        code: 'limit_reached',
        details: { max: 750, retryAfterSeconds: 5 },
      });
      expect(world.connect({ held }).closed).toBeNull();
    }
    expect(world.waitFor('call-1~1').closed).toBeNull();
  });

  it('[LIM-7] a place is free again when its socket is gone', async () => {
    const world = await startedSession();
    const sockets = Array.from({ length: 50 }, () => world.connect());
    expect(() => world.connect()).toThrow('limit_reached');
    if (sockets[0] !== undefined) world.drop(sockets[0]);
    expect(world.connect().closed).toBeNull();
  });
});
