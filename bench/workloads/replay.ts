/** A client with an old cursor receives the whole log, in order and without a gap. */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { socketProtocols } from '../client/session-socket.ts';
import { TextSocket } from '../client/text-socket.ts';
import { type BenchServer, createSession, type Side, withServer } from '../lib/bench-server.ts';
import { closedLoop } from '../lib/closed-loop.ts';
import { type Finding, findingFrom } from '../lib/finding.ts';
import { type Comparison, interleave, type Metrics } from '../lib/interleave.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { append } from './appended-events.ts';

const EVENTS = 10_000;
const SESSION = 'replay-0';
const AGENTS = 8;

function block(bench: Bench, side: Side, eventsPerRequest: number): Promise<Metrics> {
  return withServer(side, bench, async (server) => {
    const head = await fill(server, eventsPerRequest);
    const actor = async () => {
      const start = performance.now();
      await replay(server, head);
      return performance.now() - start;
    };
    const operations = bench.quick ? 15 : 30;
    return await closedLoop({ pid: server.pid, actors: [actor], warmUp: 10, operations });
  });
}

/** The head of the log; the product's log starts with an event for the session itself. */
async function fill(server: BenchServer, eventsPerRequest: number): Promise<number> {
  const agents = await Promise.all(Array.from({ length: AGENTS }, () => server.connect('agent')));
  const [first] = agents;
  if (first !== undefined) await createSession(server, first, SESSION);
  let sent = 0;
  await Promise.all(
    agents.map(async (agent) => {
      while (sent < EVENTS) {
        const at = sent;
        sent += eventsPerRequest;
        await append(agent, SESSION, eventsPerRequest, at);
      }
    }),
  );
  for (const agent of agents) agent.close();
  return server.side === 'product' ? EVENTS + 1 : EVENTS;
}

function replay(server: BenchServer, head: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let last = 0;
    let socket: TextSocket | undefined;
    const onText = (text: string) => {
      const frame = JSON.parse(text) as { events?: SessionEvent[] };
      for (const { seq, type } of frame.events ?? []) {
        if (seq !== last + 1 || type === undefined) {
          reject(new Error(`After event ${last} came ${seq}`));
          return;
        }
        last = seq;
      }
      if (last < head) return;
      socket?.close();
      resolve();
    };
    const path = `/v1/sessions/${SESSION}/socket?after=0`;
    const { port, tokens } = server;
    const protocols = socketProtocols(tokens.person);
    TextSocket.open({ port, path, protocols, onText, onEnd: reject }).then((opened) => {
      socket = opened;
      if (last === head) socket.close();
    }, reject);
  });
}

export const replaying: Workload = {
  name: 'replay',
  async run(bench) {
    const findings: Finding[] = [];
    const comparisons: Record<string, Comparison> = {};
    for (const size of [10, 1]) {
      const what = `Replay of 10,000 events, logged ${size === 1 ? 'one by one' : `${size} at a time`}`;
      bench.log(`  ${what}`);
      const compared = await interleave({
        floor: { name: 'floor', run: () => block(bench, 'floor', size) },
        others: [{ name: 'product', run: () => block(bench, 'product', size) }],
        rounds: bench.rounds ?? (bench.quick ? 1 : size === 1 ? 2 : 3),
        steadyBy: 'p50',
        redo: bench.quick ? 0 : 2,
        log: bench.log,
      });
      comparisons[what] = compared;
      findings.push(
        findingFrom(compared, {
          what,
          unit: 'ms',
          metric: 'p50',
          goals: [{ of: 'ratio', atMost: 0.9 }],
        }),
        findingFrom(compared, { what: `${what}, server CPU`, unit: 'ms', metric: 'cpuMs' }),
      );
    }
    return { findings, comparisons };
  },
};
