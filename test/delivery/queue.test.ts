/** What is sent when: order, repeats, failure, crashes. A bug here loses an announcement, or sends one for ever. */
import { describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { LIMITS } from '../../src/protocol/limits.ts';
import { MemoryTargetStore } from '../../src/platform/memory/target-store.ts';
import {
  CONFIG,
  DOWN,
  OK,
  requested,
  SECRET,
  type Sent,
  TargetWorld,
} from '../support/target-world.ts';
import { inLongRun } from '../support/run-length.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const again = (redelivered: number) => ({ ok: true, value: { redelivered, more: false } });
const seqs = (sent: readonly Sent[], session?: string) =>
  sent
    .filter(({ content }) => session === undefined || content.data.sessionId === session)
    .map(({ content }) => content.data.seq);

function statuses(world: TargetWorld) {
  const page = world.target.deliveries({});
  if (!page.ok) throw new Error(page.message);
  return page.value.deliveries.map(({ seq, status, attempts }) => ({ seq, status, attempts }));
}

describe.each([
  ['SQLite', undefined],
  [
    'memory',
    () => {
      const store = new MemoryTargetStore();
      return () => store;
    },
  ],
])('a target in %s', (_name, opener) => {
  const begin = () => new TargetWorld(opener?.());

  it('[OUT-1] sends each announcement once, in the order of its session', async () => {
    const world = begin();
    await world.receive(requested('a', 1), requested('a', 2), requested('b', 1), requested('a', 3));
    expect(seqs(world.sent, 'a')).toEqual([1, 2, 3]);
    expect(seqs(world.sent, 'b')).toEqual([1]);
    await world.pass(100 * HOUR);
    expect(world.sent).toHaveLength(4);
    expect(statuses(world).every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('[OUT-1] stores what arrives twice once, and a new log of the session apart', async () => {
    const world = begin();
    await world.receive(requested('a', 1));
    await world.receive(requested('a', 1));
    expect(world.sent).toHaveLength(1);
    await world.receive({ ...requested('a', 1), source: 'a other-log 1' });
    expect(world.sent).toHaveLength(2);
  });

  it('[OUT-1] waits for an earlier one of the session until it has failed twice', async () => {
    const world = begin();
    world.receiver = ({ content }) => (content.data.seq === 1 ? DOWN : OK);
    await world.receive(requested('a', 1), requested('a', 2), requested('b', 7));
    expect(seqs(world.sent)).toEqual([1, 7]);
    await world.pass(4 * SECOND);
    expect(seqs(world.sent)).toEqual([1, 7]);
    await world.pass(2 * SECOND);
    expect(seqs(world.sent)).toEqual([1, 7, 1, 2]);
    await world.receive(requested('a', 3));
    expect(seqs(world.sent)).toEqual([1, 7, 1, 2, 3]);
  });

  it('[OUT-1] repeats after 5 s to 10 h with the same id, and is dead after eight tries', async () => {
    const world = begin();
    world.receiver = () => DOWN;
    await world.receive(requested('a', 1));
    await world.pass(20 * HOUR);
    const waits = world.sent
      .slice(1)
      .map(({ at }, index) => (at - (world.sent[index]?.at ?? 0)) / SECOND);
    expect(waits).toEqual([5, 30, 300, 1_800, 7_200, 18_000, 36_000]);
    expect(new Set(world.sent.map(({ id }) => id)).size).toBe(1);
    expect(statuses(world)).toEqual([{ seq: 1, status: 'dead', attempts: 8 }]);
    expect(world.armedAt).toBeNull();
  });

  it('[OUT-1] honors Retry-After', async () => {
    const world = begin();
    world.receiver = () => ({ ...DOWN, status: 503, retryAfter: '120' });
    await world.receive(requested('a', 1));
    await world.pass(119 * SECOND);
    expect(world.sent).toHaveLength(1);
    await world.pass(2 * SECOND);
    expect(world.sent).toHaveLength(2);
  });

  it('[OUT-1, OUT-2] sends again what a crash left without a result', async () => {
    const world = begin();
    world.receiver = () => new Promise(() => undefined);
    await world.receive(requested('a', 1), requested('a', 2));
    expect(seqs(world.sent)).toEqual([1]);
    world.crash();
    world.receiver = () => OK;
    await world.pass(60 * SECOND);
    expect(seqs(world.sent)).toEqual([1, 1, 2]);
    expect(new Set(world.sent.slice(0, 2).map(({ id }) => id)).size).toBe(1);
  });

  it('[OUT-1] is disabled after three days of nothing but failure, and says so until it was heard', async () => {
    const world = begin();
    world.receiver = () => DOWN;
    let isReachable = false;
    world.onDisabled = () => {
      if (!isReachable) throw new Error('The workspace is out of reach');
    };
    for (let seq = 1; seq <= 80; seq += 1) {
      await world.receive(requested('a', seq));
      await world.pass(HOUR);
    }
    expect(world.disabled).toEqual([]);
    isReachable = true;
    await world.pass(HOUR);
    expect(world.disabled).toHaveLength(1);
    const before = world.sent.length;
    await world.receive(requested('a', 100));
    await world.pass(50 * HOUR);
    expect(world.sent).toHaveLength(before);

    world.receiver = () => OK;
    world.target.receive({ ...CONFIG, enabledCount: 2 }, [requested('b', 1)]);
    await world.pass(SECOND);
    expect(seqs(world.sent.slice(before), 'b')).toEqual([1]);
    expect(seqs(world.sent.slice(before), 'a')).toContain(100);
  });

  it('[OUT-1] one success in three days keeps a target', async () => {
    const world = begin();
    world.receiver = ({ content }) => (content.data.seq === 40 ? OK : DOWN);
    for (let seq = 1; seq <= 80; seq += 1) {
      await world.receive(requested(`s${seq}`, seq));
      await world.pass(HOUR);
    }
    expect(world.disabled).toEqual([]);
  });

  it('[OUT-1] lists since when every attempt failed, until one succeeds', async () => {
    const world = begin();
    const since = world.now;
    world.receiver = () => DOWN;
    await world.receive(requested('a', 1));
    await world.pass(HOUR);
    expect(world.target.deliveries({})).toMatchObject({ value: { failingSince: since } });
    world.receiver = () => OK;
    await world.receive(requested('b', 1));
    await world.pass(HOUR);
    expect(world.target.deliveries({})).not.toHaveProperty('value.failingSince');
  });

  it('[OUT-1] sends again one by one and since a time', async () => {
    const world = begin();
    await world.receive(requested('a', 1), requested('a', 2));
    await world.pass(HOUR);
    const middle = world.now;
    await world.receive(requested('a', 3));
    const [first] = world.sent;
    expect(world.target.redeliver(first?.id ?? '')).toMatchObject({ ok: true });
    await world.settle();
    expect(seqs(world.sent)).toEqual([1, 2, 3, 1]);
    expect(world.target.redeliverSince({ since: middle })).toMatchObject(again(1));
    await world.settle();
    expect(world.target.redeliverSince({ since: 0 })).toMatchObject(again(3));
    await world.settle();
    expect(seqs(world.sent)).toEqual([1, 2, 3, 1, 3, 1, 2, 3]);
    expect(world.target.redeliver('msg_1_99')).toMatchObject({ ok: false, code: 'not_found' });
    expect(world.target.redeliver('msg_2_1')).toMatchObject({ ok: false, code: 'not_found' });
  });

  inLongRun(() => {
    it('[OUT-1] sends again more than one request may, each once', async () => {
      const world = begin();
      const count = LIMITS.redelivered + 3;
      world.receiver = () => DOWN;
      // Each of a session of its own: none waits for another.
      world.target.receive(
        CONFIG,
        Array.from({ length: count }, (_, index) => requested(`s${index}`, 1)),
      );
      const numbers = Array.from({ length: count }, (_, index) => index + 1);
      world.store.write(() => {
        for (const number of numbers) {
          const delivery = world.store.find(number);
          if (delivery !== undefined) world.store.update({ ...delivery, wait: null, nextAt: null });
        }
      });
      const first = world.target.redeliverSince({ since: 0 });
      expect(first).toMatchObject({ ok: true, value: { redelivered: count - 3, more: true } });
      const after = first.ok ? first.value.next : undefined;
      if (after === undefined) throw new Error('There is no cursor');
      const rest = world.target.redeliverSince({ since: 0, after });
      expect(rest).toEqual({ ok: true, value: { redelivered: 3, more: false } });
      expect(world.target.redeliverSince({ since: 0, after: 'nonsense' })).toMatchObject({
        code: 'invalid_request',
      });
      // Ten thousand requests that are under way would go on beside the next tests, and take minutes of them.
      world.crash();
    });
  });

  it('[OUT-1] lists deliveries for thirty days, with the beginning of the response', async () => {
    const world = begin();
    world.receiver = () => ({ ...OK, text: 'x'.repeat(5_000) });
    await world.receive(requested('a', 1));
    const page = world.target.deliveries({ limit: 1 });
    expect(page).toMatchObject({
      value: {
        deliveries: [{ status: 'delivered', last: { status: 200, body: 'x'.repeat(1_024) } }],
      },
    });
    await world.pass(31 * 24 * HOUR);
    await world.receive(requested('a', 2));
    world.armedAt = world.now;
    await world.pass(SECOND);
    expect(statuses(world).map(({ seq }) => seq)).toEqual([2]);
  });

  it('[OUT-1] pages meet every delivery once', async () => {
    const world = begin();
    for (let seq = 1; seq <= 25; seq += 1) await world.receive(requested('a', seq));
    const seen: (number | undefined)[] = [];
    let before: string | undefined;
    do {
      const page = world.target.deliveries({ limit: 10, before });
      if (!page.ok) throw new Error(page.message);
      seen.push(...page.value.deliveries.map(({ seq }) => seq));
      before = page.value.next;
    } while (before !== undefined);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => 25 - index));
  });

  it('a deleted target sends nothing, and forgets everything', async () => {
    const world = begin();
    world.receiver = () => DOWN;
    await world.receive(requested('a', 1));
    world.target.receive(null, []);
    const before = world.sent.length;
    await world.pass(10 * HOUR);
    expect(world.sent).toHaveLength(before);
    expect(statuses(world)).toEqual([]);
    expect(await world.target.test()).toMatchObject({ ok: false, code: 'not_found' });
  });
});

describe('the request of a delivery', () => {
  it('[OUT-1] passes the published verifier, and no altered copy does', async () => {
    const world = new TargetWorld();
    world.now = Date.now();
    await world.receive(requested('a', 1));
    const [sent] = world.sent;
    if (sent === undefined) throw new Error('Nothing was sent');
    const checker = new Webhook(SECRET);
    const headers = sent.headers as Record<string, string>;
    expect(checker.verify(sent.body, headers)).toEqual(sent.content);
    expect(() => checker.verify(sent.body.replace('Bash', 'Bush'), headers)).toThrow();
    expect(() => checker.verify(sent.body, { ...headers, 'webhook-id': 'msg_1_2' })).toThrow();
  });

  it('[OUT-1] is signed with both secrets after a rotation, until the old one ends', async () => {
    const world = new TargetWorld();
    world.now = Date.now();
    const newer = `whsec_${Buffer.from('another secret of this target 32').toString('base64')}`;
    const secrets = [
      { text: newer, until: null },
      { text: SECRET, until: world.now + HOUR },
    ];
    world.target.receive({ ...CONFIG, secrets }, [requested('a', 1)]);
    await world.settle();
    const [both] = world.sent;
    for (const secret of [newer, SECRET]) {
      expect(new Webhook(secret).verify(both?.body ?? '', both?.headers as never)).toBeDefined();
    }
    world.now += 2 * HOUR;
    await world.receive(requested('a', 2));
    world.target.receive({ ...CONFIG, secrets }, [requested('a', 3)]);
    await world.settle();
    expect(world.sent.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it('[OUT-1, OUT-4] has the shape that receivers are written against', async () => {
    const world = new TargetWorld();
    await world.receive(requested('a', 1));
    expect(world.sent[0]?.content).toEqual({
      type: 'interaction.requested',
      timestamp: '2023-11-14T22:13:20.000Z',
      data: {
        workspace: 'main',
        sessionId: 'a',
        seq: 1,
        interaction: expect.objectContaining({ interactionId: 'call_1~1', toolName: 'Bash' }),
        answer: {
          url: 'https://holdpoint.example/v1/inbound/tgt_1/msg_1_1',
          inputDigest: 'd'.repeat(64),
          expiresAt: null,
          bodies: [{ decision: 'approve' }, { decision: 'deny', reason: '…' }],
        },
        link: {
          url: 'https://holdpoint.example/links/hpl_call_1~1.Ops',
          expiresAt: expect.any(Number),
        },
      },
    });
  });
});

describe('many deliveries', () => {
  it('[OUT-3] sends at most four at once, and starts the next as soon as one ends', async () => {
    const world = new TargetWorld();
    let open = 0;
    let most = 0;
    const release: (() => void)[] = [];
    world.receiver = () =>
      new Promise((resolve) => {
        open += 1;
        most = Math.max(most, open);
        release.push(() => {
          open -= 1;
          resolve(OK);
        });
      });
    await world.receive(...Array.from({ length: 20 }, (_, index) => requested(`s${index}`, 1)));
    expect([open, most]).toEqual([4, 4]);
    while (release.length > 0) {
      release.shift()?.();
      await world.settle();
    }
    expect(world.sent).toHaveLength(20);
    expect(most).toBe(4);
  });

  it('[OUT-1] pauses when results cannot be stored, and then sends again', async () => {
    const world = new TargetWorld();
    await world.receive();
    const update = world.store.update.bind(world.store);
    world.store.update = () => {
      throw new Error('disk full');
    };
    await world.receive(requested('a', 1));
    await world.pass(5 * SECOND);
    expect(world.sent).toHaveLength(1);
    world.store.update = update;
    await world.pass(60 * SECOND);
    expect(world.sent).toHaveLength(2);
    expect(statuses(world)).toEqual([{ seq: 1, status: 'delivered', attempts: 1 }]);
  });
});
