/**
 * What becomes slower as a session grows: with more settled questions, a longer log, a longer conversation. Each size is
 * compared with the smallest one, on the same server in the same seconds.
 *
 * A first look is a read after the object has left memory. The bench drops it by a route of its own
 * (`product/costs-worker.mjs`), because an eviction takes ten seconds of silence; what the object does then is the same.
 * Rows read are counted by the objects, and say more than milliseconds: on Cloudflare they are billed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpConnection } from '../client/http-connection.ts';
import { SessionSocket } from '../client/session-socket.ts';
import { type BenchServer, createSession, withServer } from '../lib/bench-server.ts';
import { type Finding, findingFrom, type Goal } from '../lib/finding.ts';
import type { Comparison, Metrics } from '../lib/interleave.ts';
import { readCosts } from '../lib/object-costs.ts';
import { startOutside } from '../lib/outside.ts';
import { comparisonOf, type Rounds } from '../lib/paired.ts';
import { processUsage } from '../lib/process-usage.ts';
import { median } from '../lib/statistics.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { costsBundle } from '../product/costs-bundle.ts';
import { append } from './appended-events.ts';
import { approval } from './trip-actor.ts';
import { beginConversation, takeTurn } from './turn.ts';

/** Below the limit of open questions. */
const ASKED_AT_ONCE = 32;
const EVENTS_A_REQUEST = 500;
/** A session reports within a second, and its report must not fall into a measurement. */
const REPORTED_MS = 1_800;

/** Looks at one session; a look is timed, and its rows are counted. */
type Look = (session: string) => Promise<unknown>;

interface Size {
  readonly session: string;
  readonly count: number;
}

interface Row {
  readonly what: string;
  readonly unit: string;
  readonly metric: string;
  readonly goals?: readonly Goal[];
}

function sizesOf(name: string, counts: readonly number[]): Size[] {
  return counts.map((count) => ({ session: `${name}-${count}`, count }));
}

/** Opens and answers on one socket each, many at a time. */
async function settle(server: BenchServer, { session, count }: Size): Promise<void> {
  const agent = await SessionSocket.open(server, session, server.tokens.agent);
  const person = await SessionSocket.open(server, session, server.tokens.person);
  for (let from = 0; from < count; from += ASKED_AT_ONCE) {
    const calls = Array.from(
      { length: Math.min(ASKED_AT_ONCE, count - from) },
      (_, n) => `call-${from + n}`,
    );
    await Promise.all(
      calls.map((id) => agent.ask({ type: 'open', id: `open-${id}`, ...approval(id) })),
    );
    await Promise.all(
      calls.map((id) =>
        person.ask({
          type: 'answer',
          id: `answer-${id}`,
          interactionId: `${id}~1`,
          answer: { decision: 'approve' },
        }),
      ),
    );
  }
  agent.close();
  person.close();
}

/** Each round looks at every size once, in an order that changes; `drop` begins each look after an eviction. */
async function lookAtAll(
  reader: HttpConnection,
  sizes: readonly Size[],
  looks: Readonly<Record<string, { readonly look: Look; readonly isFirst: boolean }>>,
  rounds: number,
): Promise<Rounds> {
  const all: Record<string, Metrics[]> = {};
  for (const { session } of sizes) all[session] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const { session } of round % 2 === 0 ? sizes : sizes.toReversed()) {
      const metrics: Record<string, number> = {};
      for (const [name, { look, isFirst }] of Object.entries(looks)) {
        const before = await readCosts(reader, isFirst ? session : undefined);
        const start = performance.now();
        await look(session);
        metrics[name] = performance.now() - start;
        const after = await readCosts(reader);
        metrics[`${name}Rows`] = after.session.rowsRead - before.session.rowsRead;
      }
      // The first round opens files and compiles code.
      if (round > 0) all[session]?.push(metrics);
    }
  }
  return all;
}

async function growSettled(bench: Bench, counts: readonly number[], rounds: number) {
  const sizes = sizesOf('settled', counts);
  return withServer(
    'product',
    { ...bench, product: costsBundle(bench.product) },
    async (server) => {
      const maker = await server.connect('agent');
      for (const { session } of sizes) await createSession(server, maker, session);
      maker.close();
      await Promise.all(sizes.map((size) => settle(server, size)));
      await sleep(REPORTED_MS);
      const person = await server.connect('person');
      const read = (path: string) => (session: string) =>
        person.json('GET', `/v1/sessions/${session}${path}`, 200);
      return lookAtAll(
        person,
        sizes,
        {
          firstLook: { look: read(''), isFirst: true },
          page: { look: read('/interactions?status=settled&limit=20'), isFirst: false },
        },
        rounds,
      );
    },
  );
}

async function growLog(bench: Bench, counts: readonly number[], rounds: number) {
  const sizes = sizesOf('log', counts);
  return withServer(
    'product',
    { ...bench, product: costsBundle(bench.product) },
    async (server) => {
      const agent = await server.connect('agent');
      for (const { session, count } of sizes) {
        await createSession(server, agent, session);
        for (let at = 0; at < count; at += EVENTS_A_REQUEST) {
          await append(agent, session, Math.min(EVENTS_A_REQUEST, count - at), at);
        }
      }
      await sleep(REPORTED_MS);
      const person = await server.connect('person');
      let asked = 0;
      const trip: Look = async (session) => {
        asked += 1;
        const path = `/v1/sessions/${session}/interactions`;
        await agent.json('POST', path, 201, { body: approval(`call-${asked}`) });
        const body = { decision: 'approve' };
        await person.json('POST', `${path}/call-${asked}~1/answer`, 200, { body });
      };
      const snapshot: Look = (session) => person.json('GET', `/v1/sessions/${session}`, 200);
      return lookAtAll(
        person,
        sizes,
        { firstLook: { look: snapshot, isFirst: true }, trip: { look: trip, isFirst: false } },
        rounds,
      );
    },
  );
}

/** One conversation that grows; the turns just after each mark are measured. */
async function growConversation(bench: Bench, marks: readonly number[]) {
  const outside = await startOutside();
  const bindings = { ANTHROPIC_API_KEY: 'bench-key', ANTHROPIC_BASE_URL: outside.url };
  try {
    return await withServer(
      'product',
      { ...bench, outside: { product: bindings } },
      async (server) => {
        const warm = await beginConversation(server, 'warm-up');
        const talk = await beginConversation(server, 'conversation');
        const person = await server.connect('person');
        const measured: Record<string, Metrics[]> = {};
        for (let turn = 0; turn < 60; turn += 1) await takeTurn(person, warm, 'text');
        let turns = 0;
        for (const mark of marks) {
          for (; turns < mark; turns += 1) await takeTurn(person, talk, 'text');
          const blocks: Metrics[] = [];
          for (let block = 0; block < 3; block += 1) {
            const before = processUsage(server.pid)?.cpuMs;
            const times: number[] = [];
            for (let turn = 0; turn < 10; turn += 1)
              times.push(await takeTurn(person, talk, 'text'));
            turns += times.length;
            const after = processUsage(server.pid)?.cpuMs;
            const hasCpu = before !== undefined && after !== undefined;
            blocks.push({
              turn: median(times),
              ...(hasCpu && { cpuMs: (after - before) / times.length }),
            });
          }
          measured[`conversation-${mark}`] = blocks;
        }
        for (const one of [person, warm.socket, talk.socket]) one.close();
        return measured;
      },
    );
  } finally {
    outside.stop();
  }
}

function findingsOf(
  comparisons: Readonly<Record<string, Comparison>>,
  name: string,
  [smallest, ...larger]: readonly number[],
  of: string,
  rows: readonly Row[],
): Finding[] {
  const compared = comparisons[name];
  if (compared === undefined || smallest === undefined) return [];
  return rows.flatMap(({ what, unit, metric, goals = [] }) =>
    larger.map((count, index) => {
      const isLargest = index === larger.length - 1;
      return findingFrom(compared, {
        what: `${what}: ${count.toLocaleString('en')} ${of}, against ${smallest.toLocaleString('en')}`,
        unit,
        metric,
        of: `${name}-${count}`,
        goals: isLargest ? goals : [],
        isDetail: !isLargest,
      });
    }),
  );
}

const FLAT: readonly Goal[] = [{ of: 'ratio', atMost: 1.2 }];

export const growing: Workload = {
  name: 'growth',
  async run(bench) {
    const settled = bench.quick ? [50, 250, 1_000] : [250, 5_000, 20_000];
    const log = bench.quick ? [1_000, 5_000] : [1_000, 10_000, 95_000];
    const turns = bench.quick ? [10, 50] : [10, 100, 300, 1_000];
    const rounds = bench.quick ? 4 : 16;
    bench.log('  Settled questions in one session');
    const bySettled = await growSettled(bench, settled, rounds);
    bench.log('  The log of one session');
    const byLog = await growLog(bench, log, rounds);
    bench.log('  A conversation of the built-in agent');
    const byTurns = await growConversation(bench, turns);
    const comparisons = {
      settled: comparisonOf(bySettled, `settled-${settled[0]}`),
      log: comparisonOf(byLog, `log-${log[0]}`),
      conversation: comparisonOf(byTurns, `conversation-${turns[0]}`),
    };
    const firstLook = { what: 'First look after eviction', unit: 'ms', metric: 'firstLook' };
    const firstRows = {
      ...firstLook,
      what: 'The same, rows read',
      unit: '',
      metric: 'firstLookRows',
    };
    return {
      comparisons,
      findings: [
        ...findingsOf(comparisons, 'settled', settled, 'settled questions', [
          { ...firstLook, goals: FLAT },
          { ...firstRows, goals: FLAT },
          { what: 'Page of 20 settled questions', unit: 'ms', metric: 'page', goals: FLAT },
          { what: 'The same page, rows read', unit: '', metric: 'pageRows', goals: FLAT },
        ]),
        ...findingsOf(comparisons, 'log', log, 'events', [
          firstLook,
          firstRows,
          { what: 'Open and answer', unit: 'ms', metric: 'trip' },
        ]),
        ...findingsOf(comparisons, 'conversation', turns, 'turns', [
          { what: 'A turn of text', unit: 'ms', metric: 'turn' },
          { what: 'A turn of text, server CPU', unit: 'ms', metric: 'cpuMs' },
        ]),
      ],
    };
  },
};
