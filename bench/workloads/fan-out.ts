/** One event to all subscribers of a session: the time until the last one has it. */
import type { HttpConnection } from '../client/http-connection.ts';
import { socketProtocols } from '../client/session-socket.ts';
import { TextSocket } from '../client/text-socket.ts';
import { createSession, type Side, withServer } from '../lib/bench-server.ts';
import { closedLoop } from '../lib/closed-loop.ts';
import { type Finding, findingFrom } from '../lib/finding.ts';
import { type Comparison, interleave, type Metrics } from '../lib/interleave.ts';
import type { Bench, Workload } from '../lib/workload.ts';

const SESSION = 'fan-out-0';
/** How many sockets are opened at the same time. */
const AT_ONCE = 20;
/** As many as one root may have on a session. */
const SOCKETS_OF_ONE = 50;

function block(bench: Bench, side: Side, sockets: number): Promise<Metrics> {
  return withServer(side, bench, async (server) => {
    const watchers: TextSocket[] = [];
    const agent = await server.connect('agent');
    await createSession(server, agent, SESSION);

    let marker = '';
    let missing = 0;
    let allHaveIt: (() => void) | undefined;
    const onText = (text: string) => {
      // A text search instead of a parse: a thousand parsers in one client would hide the server's cost.
      if (marker === '' || !text.includes(marker)) return;
      missing -= 1;
      if (missing === 0) allHaveIt?.();
    };
    const options = {
      port: server.port,
      path: `/v1/sessions/${SESSION}/socket?after=0`,
      onText,
    };
    const people = await server.makePeople(sockets / SOCKETS_OF_ONE);
    const began = performance.now();
    let opening = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (opening < sockets) {
          const person = people[opening % people.length] ?? '';
          opening += 1;
          const protocols = socketProtocols(person);
          watchers.push(await TextSocket.open({ ...options, protocols }));
        }
      }),
    );
    const joinMs = (performance.now() - began) / sockets;

    const actor = async (operation: number) => {
      marker = `marker-${operation};`;
      missing = sockets;
      const seen = new Promise<void>((resolve) => {
        allHaveIt = resolve;
      });
      const body = { events: [{ type: 'assistant_text', payload: { text: marker.padEnd(200) } }] };
      const start = performance.now();
      const sent = agent.json('POST', `/v1/sessions/${SESSION}/events`, 201, { body });
      await seen;
      const took = performance.now() - start;
      await sent;
      await untilIdle(agent);
      return took;
    };
    const operations = (sockets > 100 ? 60 : 300) / (bench.quick ? 3 : 1);
    const metrics = await closedLoop({
      pid: server.pid,
      actors: [actor],
      warmUp: operations / 2,
      operations,
    });
    for (const watcher of watchers) watcher.close();
    return { ...metrics, joinMs };
  });
}

/**
 * A server reads the next request when nothing else is left to do. The next event would otherwise begin with the rest of this
 * one, some two microseconds a socket: the floor answers the appender after that, and the product before. A pause in place
 * of the request would put both to sleep, and count their waking.
 */
async function untilIdle(agent: HttpConnection): Promise<void> {
  await agent.request('GET', '/health');
}

export const fanningOut: Workload = {
  name: 'fan-out',
  async run(bench) {
    const findings: Finding[] = [];
    const comparisons: Record<string, Comparison> = {};
    for (const sockets of [100, 1_000]) {
      const what = `Fan-out of one event to ${sockets.toLocaleString('en')} sockets`;
      bench.log(`  ${what}`);
      const compared = await interleave({
        floor: { name: 'floor', run: () => block(bench, 'floor', sockets) },
        others: [{ name: 'product', run: () => block(bench, 'product', sockets) }],
        rounds: bench.rounds ?? (bench.quick ? 1 : 3),
        steadyBy: 'p50',
        redo: bench.quick ? 0 : 2,
        log: bench.log,
      });
      comparisons[what] = compared;
      findings.push(
        findingFrom(compared, {
          what: `${what}, until the last has it, p50`,
          unit: 'ms',
          metric: 'p50',
          goals: [{ of: 'ratio', atMost: 1.1 }],
        }),
        findingFrom(compared, { what: `${what}, server CPU`, unit: 'ms', metric: 'cpuMs' }),
        findingFrom(compared, {
          what: `Joining of ${sockets.toLocaleString('en')} sockets, for each`,
          unit: 'ms',
          metric: 'joinMs',
          isDetail: true,
        }),
      );
    }
    return { findings, comparisons };
  },
};
