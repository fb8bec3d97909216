/**
 * Cuts the connections of subscribers, again and again, while writers use connections of their own.
 *
 * At whatever byte a connection ends, a subscriber that returns with its cursor receives every event once, in order
 * (I7). When the network is whole again, all subscribers reach the end of the log.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import { attempt } from '../../support/attempt.ts';
import { type CuttingProxy, type Mishap, startCuttingProxy } from '../../support/cutting-proxy.ts';
import { Findings } from '../../support/findings.ts';
import { followBySocket } from '../../support/follow-by-socket.ts';
import { followByStream } from '../../support/follow-by-stream.ts';
import { Follower, type Following } from '../../support/follower.ts';
import { SeenEvents } from '../../support/seen-events.ts';
import { Random } from '../../support/random.ts';
import { makeKey, makeToken } from '../../support/server-credentials.ts';
import type { FaultRun } from '../commands.ts';
import { FaultServer } from '../server.ts';
import type { NetcutReport } from './report.ts';
import { keepWriting } from './writers.ts';

export interface NetcutOptions extends FaultRun {
  readonly cuts: number;
}

const SESSIONS = 4;
/** Subscribers of each session: half use sockets, half use streams. */
const SUBSCRIBERS = 6;
/** Half-open connections are silent; a subscriber drops a connection after this much silence. */
const IDLE_MS = 2_000;
const CATCH_UP_MS = 60_000;

/** A log that the server replays in several pieces, while writers continue. */
const PRELOADED_BYTES = 3 * 1024 * 1024;
const PRELOADED_EVENT_CHARS = 3_000;
const PRELOADED_BATCH = 60;
/** A new subscriber joins after this many cuts. */
const NEWCOMER_EVERY = 20;

/** The number of bytes after which a connection ends, and the weight of each choice. */
const LIFETIMES = { 500: 10, 40_000: 50, 1_000_000: 40 } as const;
const ENDINGS = { reset: 40, end: 40, 'half-open': 10, stall: 10 } as const;

export async function runNetcut(options: NetcutOptions): Promise<NetcutReport> {
  const since = Date.now();
  const random = new Random(options.seed);
  const { dataDir, bundle } = options;
  const server = await FaultServer.start({ dataDir, bundle });
  const proxy = await startCuttingProxy({
    target: { host: '127.0.0.1', port: server.port },
    plan: planner(random.fork('cuts')),
  });
  try {
    const context = await begin(server.url, random);
    const through = `http://127.0.0.1:${proxy.port}`;
    const following: Following[] = [];
    const join = (follower: Follower) => {
      const to = { origin: through, token: context.token, random };
      following.push(follow(follower, following.length, to));
    };
    for (const follower of context.followers) join(follower);
    const writers = context.sessions.map((session) =>
      keepWriting({
        origin: server.url,
        token: context.key,
        session,
        random: random.fork(`writer of ${session}`),
      }),
    );
    await cutAll(options, proxy, context, join);
    await Promise.all(writers.map((writer) => writer.stop()));
    const deliveriesUnderCuts = countReceived(context.followers);
    proxy.heal();
    const caughtUpMs = await catchUp(server.url, context);
    await Promise.all(following.map((follower) => follower.stop()));
    const { followers, findings } = context;
    return {
      seed: options.seed,
      durationMs: Date.now() - since,
      cuts: total(proxy),
      resets: proxy.cuts.reset,
      ends: proxy.cuts.end,
      halfOpen: proxy.cuts['half-open'],
      stalls: proxy.stalls,
      connections: proxy.connections,
      subscribers: followers.length,
      deliveries: countReceived(followers),
      deliveriesUnderCuts,
      caughtUpMs,
      violations: findings.count,
      findings: findings.kept,
    };
  } finally {
    await proxy.stop();
    await server.kill();
  }
}

interface NetcutContext {
  readonly findings: Findings;
  readonly seenEvents: SeenEvents;
  readonly sessions: readonly string[];
  readonly followers: Follower[];
  readonly key: string;
  readonly token: string;
}

async function begin(origin: string, random: Random): Promise<NetcutContext> {
  const findings = new Findings();
  findings.when = `seed ${random.seed}`;
  const seenEvents = new SeenEvents(findings);
  const key = await makeKey(origin, 'writer', ['agent', 'read']);
  const token = await makeToken(origin, 'reader', ['read']);
  const sessions = Array.from({ length: SESSIONS }, (_, index) => `cut-${index}`);
  for (const id of sessions) {
    const ask = { method: 'POST', path: '/v1/sessions', token: key, body: { id } } as const;
    const made = await attempt(origin, ask);
    if (made.type !== 'answered' || made.status !== 201) throw new Error(JSON.stringify(made));
    await preload(origin, key, id);
  }
  const context: NetcutContext = { findings, seenEvents, sessions, followers: [], key, token };
  for (const session of sessions) {
    for (let index = 0; index < SUBSCRIBERS; index += 1) addFollower(context, session);
  }
  return context;
}

function addFollower(context: NetcutContext, session: string): Follower {
  const { findings, seenEvents, followers } = context;
  const name = `subscriber ${followers.length}`;
  const follower = new Follower(name, session, { findings, seenEvents });
  followers.push(follower);
  return follower;
}

async function preload(origin: string, token: string, session: string): Promise<void> {
  const path = `/v1/sessions/${session}/events`;
  const event = {
    type: 'assistant_text',
    payload: { text: 'long ago '.repeat(PRELOADED_EVENT_CHARS / 9) },
  };
  const events = Array.from({ length: PRELOADED_BATCH }, () => event);
  const batches = PRELOADED_BYTES / (PRELOADED_BATCH * PRELOADED_EVENT_CHARS);
  for (let batch = 0; batch < batches; batch += 1) {
    const made = await attempt(origin, { method: 'POST', path, token, body: { events } });
    if (made.type !== 'answered' || made.status !== 201) throw new Error(JSON.stringify(made));
  }
}

function countReceived(followers: readonly Follower[]): number {
  return followers.reduce((sum, { seq }) => sum + seq, 0);
}

function follow(
  follower: Follower,
  index: number,
  { random, ...to }: { origin: string; token: string; random: Random },
): Following {
  const options = {
    ...to,
    random: random.fork(`${follower.name} of ${follower.session}`),
    idleMs: IDLE_MS,
  };
  return index % 2 === 0 ? followBySocket(follower, options) : followByStream(follower, options);
}

/**
 * Some connections end in the handshake, most in the middle of the frames that follow. A replay frame may hold 256 KiB,
 * so some connections must last longer, or a subscriber that is behind never progresses.
 */
function planner(random: Random): () => readonly Mishap[] {
  return () => {
    const mishaps: Mishap[] = [];
    let atByte = 0;
    for (;;) {
      atByte += random.int(1, Number(random.weighted(LIFETIMES)));
      const kind = random.weighted(ENDINGS);
      if (kind !== 'stall') return [...mishaps, { kind, atByte }];
      mishaps.push({ kind, atByte, ms: random.int(20, 400) });
    }
  };
}

async function cutAll(
  options: NetcutOptions,
  proxy: CuttingProxy,
  context: NetcutContext,
  join: (follower: Follower) => void,
): Promise<void> {
  let joined = 0;
  while (total(proxy) < options.cuts && context.findings.count === 0) {
    await sleep(20);
    if (total(proxy) < (joined + 1) * NEWCOMER_EVERY) continue;
    const session = context.sessions[joined % context.sessions.length];
    if (session !== undefined) join(addFollower(context, session));
    joined += 1;
    options.print?.(`${total(proxy)} cuts, ${countReceived(context.followers)} deliveries`);
  }
}

function total({ cuts }: CuttingProxy): number {
  return cuts.reset + cuts.end + cuts['half-open'];
}

/** Reads every log without the proxy, and waits until all subscribers have received as much. */
async function catchUp(origin: string, context: NetcutContext): Promise<number> {
  const { findings, seenEvents, sessions, followers, token } = context;
  const from = Date.now();
  const heads = new Map<string, number>();
  for (const session of sessions) {
    let head = 0;
    for (let more = true; more; ) {
      const path = `/v1/sessions/${session}/events?after=${head}&limit=1000`;
      const page = await attempt(origin, { method: 'GET', path, token });
      if (page.type !== 'answered') throw new Error(`The log could not be read: ${page.type}`);
      const events = (page.body as { events?: readonly SessionEvent[] }).events ?? [];
      for (const event of events) seenEvents.see(session, event, 'the log');
      head = events.at(-1)?.seq ?? head;
      more = page.body.more === true;
    }
    heads.set(session, head);
  }
  const behind = () => followers.filter(({ session, seq }) => seq < (heads.get(session) ?? 0));
  while (behind().length > 0 && Date.now() - from < CATCH_UP_MS) await sleep(5);
  for (const { name, session, seq } of behind()) {
    findings.add('I7', session, `${name} received ${seq} of ${heads.get(session)} events`);
  }
  for (const session of sessions) {
    const seen = seenEvents.head(session);
    const head = heads.get(session) ?? 0;
    if (seen > head) findings.add('I5', session, `the log ends at ${head}; ${seen} was seen`);
  }
  return Date.now() - from;
}
