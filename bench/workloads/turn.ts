/**
 * A turn of the built-in agent with a model that answers at once, from the person's message to `turn_ended` on the
 * person's socket.
 *
 * The floor writes the same rows in the same commits and makes the same requests. The product's rows are counted first,
 * and the run fails if their number differs from the floor's.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpConnection } from '../client/http-connection.ts';
import { SessionSocket } from '../client/session-socket.ts';
import { type BenchServer, createSession, type Side, withServer } from '../lib/bench-server.ts';
import { closedLoop } from '../lib/closed-loop.ts';
import { type Finding, findingFrom, type Goal } from '../lib/finding.ts';
import { type Comparison, interleave, type Metrics } from '../lib/interleave.ts';
import { readCosts } from '../lib/object-costs.ts';
import { startOutside } from '../lib/outside.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { costsBundle } from '../product/costs-bundle.ts';

type Kind = 'text' | 'tool';

/** The rows of the session that `floor/turn.mjs` writes in a turn. */
const FLOOR_ROWS: Readonly<Record<Kind, number>> = { text: 4 + 4, tool: 4 + 3 + 1 + 3 + 4 };
const WHAT: Readonly<Record<Kind, string>> = {
  text: 'A turn of text alone',
  tool: 'A turn with one HTTP tool that needs nobody',
};
/** Each request holds the whole conversation, so more turns would measure the length of the conversation. */
const TURNS_A_SESSION = 10;
/** For a turn of text alone; the tool has no goal. */
const TEXT_GOALS = { p50: 1.6, cpu: 1.8 };

interface Talk {
  readonly socket: SessionSocket;
  readonly path: string;
}

/** A session with an agent of its own; without an address it has no tool. */
export async function beginConversation(
  server: BenchServer,
  id: string,
  toolUrl?: string,
): Promise<Talk> {
  const admin = await server.connect('admin');
  const inputSchema = { type: 'object' };
  const tool = {
    type: 'http',
    name: 'Lookup',
    description: 'Looks up.',
    inputSchema,
    url: toolUrl,
  };
  const tools = toolUrl === undefined ? [] : [tool];
  const settings = { permissionMode: 'bypassPermissions', agent: { tools } };
  await createSession(server, admin, id, settings);
  admin.close();
  const socket = await SessionSocket.open(server, id, server.tokens.person);
  return { socket, path: `/v1/sessions/${id}/messages` };
}

/** Resolves to the time of the turn. */
export async function takeTurn(
  person: HttpConnection,
  { socket, path }: Talk,
  kind: Kind,
): Promise<number> {
  const start = performance.now();
  const ended = socket.heard('turn_ended');
  await person.json('POST', path, 202, { body: { text: kind } });
  const { payload } = (await ended) as { payload: { reason?: string } };
  if (payload.reason !== 'completed') throw new Error(`A turn ended as ${payload.reason}`);
  return performance.now() - start;
}

function block(bench: Bench, side: Side, kind: Kind, toolUrl: string): Promise<Metrics> {
  const operations = bench.quick ? 150 : 400;
  const warmUp = bench.quick ? 100 : 200;
  return withServer(side, bench, async (server) => {
    const count = Math.ceil((warmUp + operations) / TURNS_A_SESSION);
    const talks: Talk[] = [];
    for (let n = 0; n < count; n += 1)
      talks.push(await beginConversation(server, `turn-${n}`, toolUrl));
    // One connection for all requests: the server closes a connection that is idle for some seconds.
    const person = await server.connect('person');
    const actor = (operation: number) => takeTurn(person, talks[operation % count] as Talk, kind);
    const metrics = await closedLoop({ pid: server.pid, actors: [actor], warmUp, operations });
    for (const one of [person, ...talks.map(({ socket }) => socket)]) one.close();
    return metrics;
  });
}

/** The rows that the session writes in its second turn, while the alarm of the first is still set. */
function rowsOf(bench: Bench, kind: Kind, toolUrl: string): Promise<number> {
  return withServer(
    'product',
    { ...bench, product: costsBundle(bench.product) },
    async (server) => {
      const talk = await beginConversation(server, 'turn-0', toolUrl);
      const person = await server.connect('person');
      const written = async () => (await readCosts(person)).session.rowsWritten;
      await takeTurn(person, talk, kind);
      await sleep(500);
      const before = await written();
      await takeTurn(person, talk, kind);
      const rows = (await written()) - before;
      talk.socket.close();
      person.close();
      return rows;
    },
  );
}

export const turning: Workload = {
  name: 'turn',
  async run(quiet) {
    const outside = await startOutside();
    const toolUrl = `${outside.url}/tool`;
    const bench: Bench = {
      ...quiet,
      outside: {
        product: {
          ANTHROPIC_API_KEY: 'bench-key',
          ANTHROPIC_BASE_URL: outside.url,
          HOLDPOINT_PRIVATE_TOOLS: '1',
        },
        floor: { MODEL_URL: outside.url, TOOL_URL: toolUrl },
      },
    };
    const findings: Finding[] = [];
    const comparisons: Record<string, Comparison> = {};
    const raw: Partial<Record<Kind, number>> = {};
    try {
      for (const kind of ['text', 'tool'] as const) {
        bench.log(`  ${WHAT[kind]}`);
        const rows = await rowsOf(bench, kind, toolUrl);
        raw[kind] = rows;
        if (rows !== FLOOR_ROWS[kind]) {
          throw new Error(`${WHAT[kind]} writes ${rows} rows, and the floor ${FLOOR_ROWS[kind]}`);
        }
        const compared = await interleave({
          floor: { name: 'floor', run: () => block(bench, 'floor', kind, toolUrl) },
          others: [{ name: 'product', run: () => block(bench, 'product', kind, toolUrl) }],
          rounds: bench.rounds ?? (bench.quick ? 1 : kind === 'text' ? 5 : 3),
          steadyBy: 'p50',
          redo: bench.quick ? 0 : 5,
          log: bench.log,
        });
        comparisons[kind] = compared;
        const goal = (atMost: number): Goal[] => (kind === 'text' ? [{ of: 'ratio', atMost }] : []);
        const [what, cpu] = [`${WHAT[kind]}, p50`, `${WHAT[kind]}, server CPU`];
        findings.push(
          findingFrom(compared, {
            what,
            unit: 'ms',
            metric: 'p50',
            goals: goal(TEXT_GOALS.p50),
          }),
          findingFrom(compared, {
            what: cpu,
            unit: 'ms',
            metric: 'cpuMs',
            goals: goal(TEXT_GOALS.cpu),
          }),
        );
      }
      return { findings, comparisons, raw: { rows: raw } };
    } finally {
      outside.stop();
    }
  },
};
