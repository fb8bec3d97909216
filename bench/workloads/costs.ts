/**
 * The writes of one trip, counted and not timed: rows as the objects count them, commits as the kernel sees them.
 *
 * The rows come from `costs()` of both objects, through a route that only the bench has. The commits are the fsyncs
 * that strace sees; where strace is missing or may not attach, they are left out.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpConnection } from '../client/http-connection.ts';
import { createSession, type Side, withServer } from '../lib/bench-server.ts';
import type { Finding } from '../lib/finding.ts';
import { countSyncs } from '../lib/count-syncs.ts';
import { spreadOf } from '../lib/statistics.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { costsBundle } from '../product/costs-bundle.ts';
import { approval, tripActor } from './trip-actor.ts';

interface Costs {
  readonly rowsWritten: number;
  readonly alarmMoves: number;
}

const SESSION = 'costs-0';
/** A session reports after a quarter of a second; an answer after that is in a report of its own. */
const REPORTED_MS = 700;
const TRIPS = 200;

function rowsOf(bench: Bench): Promise<{ slow: number[]; quick: number[] }> {
  const counted = { ...bench, product: costsBundle(bench.product) };
  return withServer('product', counted, async (server) => {
    const agent = await server.connect('agent');
    const person = await server.connect('person');
    await createSession(server, agent, SESSION);
    await sleep(REPORTED_MS);
    const measure = async (toolCallId: string, pauseMs: number) => {
      const before = await writtenBy(agent);
      const path = `/v1/sessions/${SESSION}/interactions`;
      await agent.json('POST', path, 201, { body: approval(toolCallId) });
      await sleep(pauseMs);
      const body = { decision: 'approve' };
      await person.json('POST', `${path}/${toolCallId}~1/answer`, 200, { body });
      await sleep(REPORTED_MS);
      return (await writtenBy(agent)) - before;
    };
    // The first approval of a session also sets its alarm, which is the most that an approval can write.
    const slow = [await measure('slow-1', REPORTED_MS), await measure('slow-2', REPORTED_MS)];
    const quick = [await measure('quick-1', 0), await measure('quick-2', 0)];
    return { slow, quick };
  });
}

/** The platform bills a moved alarm as one row. */
async function writtenBy(agent: HttpConnection): Promise<number> {
  const path = `/bench/costs?session=main/${SESSION}&workspace=main`;
  const { session, workspace } = await agent.json<{ session: Costs; workspace: Costs }>(
    'GET',
    path,
    200,
  );
  const rows = session.rowsWritten + workspace.rowsWritten;
  return rows + session.alarmMoves + workspace.alarmMoves;
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
    bench.log('  What a trip writes');
    const rows = await rowsOf(bench);
    const product = await syncsOf(bench, 'product');
    const floor = await syncsOf(bench, 'floor');
    const [first = 0, later = 0] = rows.slow;
    const note =
      product === undefined ? 'not counted: strace is missing or may not attach' : undefined;
    const of = (count: number | undefined) => spreadOf(count === undefined ? [] : [count]);
    const findings: Finding[] = [
      {
        what: 'Rows written for the first approval of a session, both objects, alarms included',
        unit: 'rows',
        product: of(first),
        goals: [{ of: 'product', atMost: 10 }],
      },
      {
        what: 'Rows written for a later approval',
        unit: 'rows',
        product: of(later),
        goals: [{ of: 'product', atMost: 10 }],
      },
      {
        what: 'Rows written for an approval that is answered within a quarter of a second',
        unit: 'rows',
        product: of(Math.max(...rows.quick)),
        goals: [],
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
    return { findings, raw: { rows, syncs: { product, floor } } };
  },
};
