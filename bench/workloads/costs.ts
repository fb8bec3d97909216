/**
 * The costs of one trip and of waiting, counted and not timed: rows and requests as the objects count them, commits as
 * the kernel sees them.
 *
 * The objects count in `product/costs-worker.mjs`. The commits are the fsyncs that strace sees; where strace is missing
 * or may not attach, they are left out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SessionSocket } from '../client/session-socket.ts';
import { createSession, type Side, withServer } from '../lib/bench-server.ts';
import type { Finding } from '../lib/finding.ts';
import { countSyncs } from '../lib/count-syncs.ts';
import { costsBetween, type ObjectCosts, readCosts } from '../lib/object-costs.ts';
import { spreadOf } from '../lib/statistics.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { costsBundle } from '../product/costs-bundle.ts';
import { approval, tripActor } from './trip-actor.ts';

const SESSION = 'costs-0';
/**
 * A person takes more than a second. An answer after a quarter of a second is in a report of its own, and the workspace
 * notes a wait that is longer than a second, to end it if its credential is revoked.
 */
const READS_MS = 1_500;
/** A report that asks nobody is sent after a second. */
const REPORTED_MS = 1_800;
/** Eight seconds until the waiter moves to a hibernating socket; the platform drops an object after ten more of silence. */
const EVICTED_MS = 21_000;
const WATCHED_MS = 20_000;
const TRIPS = 200;

type Approvals = Readonly<Record<'slow' | 'quick', readonly ObjectCosts[]>>;

function approvalCosts(bench: Bench): Promise<Approvals> {
  return withServer('product', countingBench(bench), async (server) => {
    const agent = await server.connect('agent');
    const person = await server.connect('person');
    await createSession(server, agent, SESSION);
    await sleep(REPORTED_MS);
    const measure = async (toolCallId: string, pauseMs: number) => {
      const before = await readCosts(person);
      const path = `/v1/sessions/${SESSION}/interactions`;
      await agent.json('POST', path, 201, { body: approval(toolCallId) });
      const waited = agent.json('GET', `${path}/${toolCallId}~1?wait=55`, 200);
      await sleep(pauseMs);
      const body = { decision: 'approve' };
      await person.json('POST', `${path}/${toolCallId}~1/answer`, 200, { body });
      await waited;
      await sleep(REPORTED_MS);
      return costsBetween(before, await readCosts(person));
    };
    // The first approval of a session also sets its alarm, which is the most that an approval can write.
    const slow = [await measure('slow-1', READS_MS), await measure('slow-2', READS_MS)];
    const quick = [await measure('quick-1', 0), await measure('quick-2', 0)];
    return { slow, quick };
  });
}

/** An open question, an agent that waits for it and two people who watch: the costs once the session has left memory. */
function waitingCosts(bench: Bench): Promise<ObjectCosts> {
  return withServer('product', countingBench(bench), async (server) => {
    const agent = await server.connect('agent');
    await createSession(server, agent, SESSION);
    const path = `/v1/sessions/${SESSION}/interactions`;
    await agent.json('POST', path, 201, { body: approval('waits') });
    const watching = [
      await SessionSocket.open(server, SESSION, server.tokens.person),
      await SessionSocket.open(server, SESSION, server.tokens.agent),
    ];
    const waited = agent.json('GET', `${path}/waits~1?wait=55`, 200);
    await sleep(EVICTED_MS);
    const reader = await server.connect('person');
    const before = await readCosts(reader);
    reader.close();
    await sleep(bench.quick ? 2_000 : WATCHED_MS);
    // Another connection: the server closes one that is idle for some seconds.
    const person = await server.connect('person');
    const costs = costsBetween(before, await readCosts(person));
    // The session still answers all who waited, or its silence would prove nothing.
    await person.json('POST', `${path}/waits~1/answer`, 200, { body: { decision: 'approve' } });
    await waited;
    for (const one of [agent, person, ...watching]) one.close();
    return costs;
  });
}

function countingBench(bench: Bench): Bench {
  return { ...bench, product: costsBundle(bench.product) };
}

/** For each trip: fsyncs of the session's files, and of all others. */
function syncsOf(bench: Bench, side: Side) {
  return withServer(side, bench, async (server) => {
    const actor = await tripActor(server, SESSION, 'requests');
    for (let trip = 1; trip <= TRIPS / 2; trip += 1) await actor.trip(trip);
    const files = await countSyncs(server.pid, async () => {
      for (let trip = TRIPS; trip < 2 * TRIPS; trip += 1) await actor.trip(trip);
    });
    actor.leave();
    if (files === undefined) return undefined;
    const isSession = (file: string) => /\/storage\/(session|floor)\//.test(file);
    const count = (fits: (file: string) => boolean) =>
      Object.entries(files).reduce((sum, [file, times]) => sum + (fits(file) ? times : 0), 0);
    return {
      session: count(isSession) / TRIPS,
      others: count((file) => !isSession(file)) / TRIPS,
    };
  });
}

export const counting: Workload = {
  name: 'costs',
  async run(bench) {
    bench.log('  The costs of a trip');
    const approvals = await approvalCosts(bench);
    const [product, floor, waiting] = await Promise.all([
      syncsOf(bench, 'product'),
      syncsOf(bench, 'floor'),
      waitingCosts(bench),
    ]);
    const [first, later] = approvals.slow;
    const quick = Math.max(...approvals.quick.map(({ rowsWritten }) => rowsWritten));
    const note =
      product === undefined ? 'not counted: strace is missing or may not attach' : undefined;
    const of = (count: number | undefined) => spreadOf(count === undefined ? [] : [count]);
    const counted = (what: string, unit: string, count: number | undefined, atMost?: number) => ({
      what,
      unit,
      product: of(count),
      goals: atMost === undefined ? [] : [{ of: 'product', atMost } as const],
    });
    const findings: Finding[] = [
      counted(
        'Rows written for the first approval of a session, both objects, alarms included',
        'rows',
        first?.rowsWritten,
        8,
      ),
      counted(
        'Rows written for a later approval, answered after a second and a half',
        'rows',
        later?.rowsWritten,
        8,
      ),
      counted('Rows read for the same', 'rows', later?.rowsRead),
      counted(
        'Requests to objects for the same, the reports to the workspace included',
        'requests',
        later?.requests,
        5,
      ),
      counted(
        'Rows written for an approval that is answered within a quarter of a second',
        'rows',
        quick,
      ),
      {
        key: 'wakes',
        ...counted(
          'Wake-ups, requests and alarms of a session with an open question, an agent that waits and two people who watch',
          '',
          waiting.wakes + waiting.requests + waiting.alarms,
          0,
        ),
      },
      {
        what: 'Commits (fsync) on the session, a trip',
        unit: '',
        product: of(product?.session),
        floor: of(floor?.session),
        // Two; SQLite syncs a few times more when it empties its write-ahead log.
        goals: [{ of: 'product', atMost: 2.1 }],
        note,
      },
      {
        what: 'Commits (fsync) elsewhere, a trip, one trip after another',
        unit: '',
        product: of(product?.others),
        floor: of(floor?.others),
        goals: [],
        note,
      },
    ];
    return { findings, raw: { approvals, waiting, syncs: { product, floor } } };
  },
};
