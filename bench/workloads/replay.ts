/**
 * A client with an old cursor receives the whole log, in order and without a gap: on a socket, as server-sent events,
 * and in pages. The floor has sockets alone.
 */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import { openEventStream } from '../client/event-stream.ts';
import type { HttpConnection } from '../client/http-connection.ts';
import { socketProtocols } from '../client/session-socket.ts';
import { TextSocket } from '../client/text-socket.ts';
import { type BenchServer, createSession, type Side, withServers } from '../lib/bench-server.ts';
import { runner } from '../lib/closed-loop.ts';
import { type Finding, findingFrom } from '../lib/finding.ts';
import type { Comparison } from '../lib/interleave.ts';
import { comparisonOf, driveInTurns, type Rounds } from '../lib/paired.ts';
import type { Bench, Workload } from '../lib/workload.ts';
import { append } from './appended-events.ts';

const EVENTS = 10_000;
const SESSION = 'replay-0';
const AGENTS = 8;
const PAGE = 1_000;

type Way = 'socket' | 'stream' | 'pages';
/** A replay of the whole log; fails at the first event that is not the next one. */
type Replay = (server: BenchServer, head: number) => Promise<void>;

interface Contestant {
  readonly name: string;
  readonly side: Side;
  readonly way: Way;
}

const FLOOR: Contestant = { name: 'floor', side: 'floor', way: 'socket' };
const PRODUCT: Contestant = { name: 'product', side: 'product', way: 'socket' };
const STREAM: Contestant = { name: 'stream', side: 'product', way: 'stream' };
const PAGES: Contestant = { name: 'pages', side: 'product', way: 'pages' };

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

/** Takes events in order, and throws at a gap; true once the last one is there. */
function inOrder(head: number): (events: readonly SessionEvent[]) => boolean {
  let last = 0;
  return (events) => {
    for (const { seq, type } of events) {
      if (seq !== last + 1 || type === undefined) {
        throw new Error(`After event ${last} came ${seq}`);
      }
      last = seq;
    }
    return last === head;
  };
}

const bySocket: Replay = (server, head) =>
  new Promise((resolve, reject) => {
    const take = inOrder(head);
    let socket: TextSocket | undefined;
    let isOver = false;
    const onText = (text: string) => {
      try {
        const frame = JSON.parse(text) as { events?: SessionEvent[] };
        if (!take(frame.events ?? [])) return;
        isOver = true;
        socket?.close();
        resolve();
      } catch (error) {
        reject(error);
      }
    };
    const path = `/v1/sessions/${SESSION}/socket?after=0`;
    const { port, tokens } = server;
    const protocols = socketProtocols(tokens.person);
    TextSocket.open({ port, path, protocols, onText, onEnd: reject }).then((opened) => {
      socket = opened;
      if (isOver) socket.close();
    }, reject);
  });

const byStream: Replay = (server, head) =>
  new Promise((resolve, reject) => {
    const take = inOrder(head);
    let hangUp: (() => void) | undefined;
    const onData = (json: string) => {
      const event = JSON.parse(json) as SessionEvent;
      // `welcome` has no number.
      if (event.seq === undefined || !take([event])) return;
      hangUp?.();
      resolve();
    };
    const path = `/v1/sessions/${SESSION}/events?after=0`;
    const { port, tokens } = server;
    openEventStream({ port, path, token: tokens.person, onData, onEnd: reject }).then((end) => {
      hangUp = end;
    }, reject);
  });

function byPages(reader: HttpConnection): Replay {
  return async (_, head) => {
    const take = inOrder(head);
    let after = 0;
    for (let isOver = false; !isOver; ) {
      const path = `/v1/sessions/${SESSION}/events?after=${after}&limit=${PAGE}`;
      const page = await reader.json<{ events: SessionEvent[] }>('GET', path, 200);
      isOver = take(page.events);
      after = page.events.at(-1)?.seq ?? head;
    }
  };
}

async function replayOf(server: BenchServer, way: Way): Promise<Replay> {
  if (way === 'socket') return bySocket;
  return way === 'stream' ? byStream : byPages(await server.connect('person'));
}

function drive(
  bench: Bench,
  contestants: readonly Contestant[],
  eventsPerRequest: number,
): Promise<Rounds> {
  const sides = contestants.map(({ side }) => side);
  return withServers(sides, bench, async (servers) => {
    const driven = [];
    for (const [index, { name, way }] of contestants.entries()) {
      const server = servers[index] as BenchServer;
      const head = await fill(server, eventsPerRequest);
      const replay = await replayOf(server, way);
      const actor = async () => {
        const start = performance.now();
        await replay(server, head);
        return performance.now() - start;
      };
      driven.push({ name, pid: server.pid, run: runner([actor]) });
    }
    return await driveInTurns({
      contestants: driven,
      // Under plain workerd a stream that its reader left counts as unread, and one root may leave so much of a session:
      // 256 MiB, some eighty replays.
      warmUp: 10,
      slice: 3,
      slices: 4,
      rounds: bench.rounds ?? (bench.quick ? 1 : 5),
      log: bench.log,
    });
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
      const contestants = [FLOOR, PRODUCT, ...(size === 1 ? [] : [STREAM, PAGES])];
      const measured = await drive(bench, contestants, size);
      const compared = comparisonOf(measured);
      comparisons[what] = compared;
      const goals = [{ of: 'ratio', atMost: size === 1 ? 0.9 : 0.7 }] as const;
      findings.push(
        findingFrom(compared, { what, unit: 'ms', metric: 'p50', goals }),
        findingFrom(compared, { what: `${what}, server CPU`, unit: 'ms', metric: 'cpuMs' }),
      );
      if (size === 1) continue;
      const bySocketOfProduct = comparisonOf(measured, PRODUCT.name);
      for (const { name: of } of [STREAM, PAGES]) {
        const way =
          of === STREAM.name ? 'as server-sent events' : `in pages of ${PAGE.toLocaleString('en')}`;
        const against = `The same ${way}, against the socket of the product`;
        const cpuGoals = of === STREAM.name ? ([{ of: 'ratio', atMost: 1.5 }] as const) : [];
        findings.push(
          findingFrom(bySocketOfProduct, {
            what: `${against}, server CPU`,
            unit: 'ms',
            metric: 'cpuMs',
            of,
            goals: cpuGoals,
          }),
          findingFrom(bySocketOfProduct, {
            what: `${against}, p50`,
            unit: 'ms',
            metric: 'p50',
            of,
            isDetail: true,
          }),
        );
      }
    }
    return { findings, comparisons };
  },
};
