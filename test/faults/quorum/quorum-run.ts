/**
 * Kills the server in the midst of votes.
 *
 * Each round has some races, each a request of its own that k of n people must approve. Within 400 ms everyone votes, many
 * from several devices at once; some take their approval back, in some races a denial comes, and somebody votes with a
 * name that a key made up. A kill comes at a random moment; whatever was in flight is repeated with its key until there is
 * a reply. What must hold then is in `judge-race.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/protocol/json.ts';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { InteractionView } from '../../../src/protocol/schema/interaction.ts';
import { type Answered, type Ask, attempt } from '../../support/attempt.ts';
import { Findings } from '../../support/findings.ts';
import { Random } from '../../support/random.ts';
import { TEST_BINDINGS } from '../../support/server-credentials.ts';
import type { FaultReport } from '../report.ts';
import { FaultServer } from '../server.ts';
import { judgeRace } from './judge-race.ts';
import { DEVICES, planRace, type QuorumRace, type VoteStep } from './quorum-race.ts';

export interface QuorumOptions {
  readonly races: number;
  readonly seed: string;
  readonly dataDir: string;
  readonly bundle?: string | undefined;
  readonly print?: ((line: string) => void) | undefined;
}

export interface QuorumReport extends FaultReport {
  readonly races: number;
  readonly kills: number;
  readonly requests: number;
  /** Requests that a kill cut off, and that were repeated. */
  readonly repeated: number;
  readonly approved: number;
  readonly denied: number;
  readonly open: number;
  readonly withdrawn: number;
  /** Acknowledged approvals of a person who had given one before. */
  readonly doubled: number;
}

const ADMIN = TEST_BINDINGS.HOLDPOINT_ADMIN_KEY;
const RACES_AT_ONCE = 4;
const REPEAT_AFTER_MS = 30;
const GIVE_UP_AFTER_MS = 30_000;
const KILL_WITHIN_MS = 500;

interface Voters {
  /** By person, one for each device. */
  readonly tokens: ReadonlyMap<string, readonly string[]>;
  /** By the name that it uses. */
  readonly forged: ReadonlyMap<string, string>;
  readonly agent: string;
}

export async function runQuorumTest(options: QuorumOptions): Promise<QuorumReport> {
  const { races, seed, dataDir, bundle, print } = options;
  const findings = new Findings();
  const onUnexpectedEnd = (evidence: string) => findings.add('server', '', evidence);
  const server = await FaultServer.start({ dataDir, bundle, onUnexpectedEnd });
  const ends: { readonly race: QuorumRace; readonly record: InteractionView }[] = [];
  const counts = { repeated: 0, requests: 0 };
  const random = new Random(seed);
  let kills = 0;
  try {
    const voters = await makeVoters(server, counts);
    while (ends.length < races) {
      kills += 1;
      findings.when = `kill ${kills}`;
      const count = Math.min(RACES_AT_ONCE, races - ends.length);
      const round = Array.from({ length: count }, (_, at) =>
        planRace(random.fork(`${kills}-${at}`), `quorum-${kills}-${at}`),
      );
      await playRound(server, round, voters, random.int(0, KILL_WITHIN_MS), counts);
      for (const race of round) {
        const end = await readEnd(server, race);
        judgeRace(race, end, (rule, evidence) => {
          findings.add(rule, race.session, `${evidence}\n  ${JSON.stringify(race)}`);
        });
        ends.push({ race, record: end.record });
      }
      if (kills % 10 === 0) print?.(`${kills} kills, ${findings.count} findings`);
    }
  } finally {
    await server.stop();
  }
  const ended = (outcome: string | null) =>
    ends.filter(({ record }) => record.outcome === outcome).length;
  return {
    seed,
    findings: findings.kept,
    races: ends.length,
    kills,
    ...counts,
    approved: ended('approved'),
    denied: ended('denied'),
    open: ended(null),
    withdrawn: ends.flatMap(({ race }) => race.inOrder.flat()).filter(isWithdrawn).length,
    doubled: ends.reduce((sum, { race }) => sum + countDoubled(race), 0),
  };
}

function isWithdrawn({ act, status }: VoteStep): boolean {
  return act === 'withdraw' && status === 200;
}

function countDoubled({ atOnce }: QuorumRace): number {
  const people = atOnce
    .filter(({ act, status }) => act === 'approve' && status === 200)
    .map(({ person }) => person);
  return people.length - new Set(people).size;
}

interface Counts {
  repeated: number;
  requests: number;
}

/** Tokens that an administrator made count; one that a key made for the same name does not. */
async function makeVoters(server: FaultServer, counts: Counts): Promise<Voters> {
  const scopes = ['read', 'answer', 'send'];
  const post = async (path: string, token: string, body: JsonObject) =>
    (await send(server, { method: 'POST', path, token, body }, counts)).body;
  const { secret: backend = '' } = await post('/v1/keys', ADMIN, { name: 'backend', scopes });
  const { secret: agent = '' } = await post('/v1/keys', ADMIN, {
    name: 'agent',
    scopes: ['agent'],
  });
  const tokens = new Map<string, string[]>();
  const forged = new Map<string, string>();
  for (const subject of ['ann', 'bob', 'cem', 'dee', 'eva']) {
    const own: string[] = [];
    for (let device = 0; device < DEVICES; device += 1) {
      own.push((await post('/v1/tokens', ADMIN, { subject, scopes })).token ?? '');
    }
    tokens.set(subject, own);
    forged.set(subject, (await post('/v1/tokens', backend, { subject, scopes })).token ?? '');
  }
  return { tokens, forged, agent };
}

async function playRound(
  server: FaultServer,
  round: readonly QuorumRace[],
  voters: Voters,
  killAfterMs: number,
  counts: Counts,
): Promise<void> {
  for (const { session, approvals } of round) {
    const path = `/v1/sessions/${session}/interactions`;
    await send(
      server,
      { method: 'POST', path: '/v1/sessions', token: ADMIN, body: { id: session } },
      counts,
    );
    const request = {
      kind: 'approval',
      toolName: 'Deploy',
      toolCallId: 'call_1',
      input: { to: 'eu' },
    };
    const body = { ...request, quorum: { approvals }, timeoutSeconds: null };
    await send(server, { method: 'POST', path, token: voters.agent, body }, counts);
  }
  const work = round.flatMap((race) => [
    ...race.atOnce.map((step, at) => take(server, race, step, `a${at}`, voters, counts)),
    ...race.inOrder.map(async (steps, at) => {
      for (const [index, step] of steps.entries()) {
        await take(server, race, step, `o${at}-${index}`, voters, counts);
      }
    }),
    takeForged(server, race, voters, counts),
  ]);
  await sleep(killAfterMs);
  await server.kill();
  await server.restart();
  await Promise.all(work);
}

async function take(
  server: FaultServer,
  race: QuorumRace,
  step: VoteStep,
  name: string,
  { tokens }: Voters,
  counts: Counts,
): Promise<void> {
  await sleep(step.afterMs);
  const token = tokens.get(step.person)?.[step.device] ?? '';
  await vote(server, race, step, { token, key: `key-${race.session}-${name}` }, counts);
}

async function takeForged(
  server: FaultServer,
  race: QuorumRace,
  { forged }: Voters,
  counts: Counts,
): Promise<void> {
  const { forged: step, session } = race;
  await sleep(step.afterMs);
  const token = forged.get(step.person) ?? '';
  await vote(server, race, step, { token, key: `key-${session}-forged` }, counts);
}

async function vote(
  server: FaultServer,
  { session, interactionId }: QuorumRace,
  step: VoteStep,
  by: { readonly token: string; readonly key: string },
  counts: Counts,
): Promise<void> {
  const { act } = step;
  const route = act === 'withdraw' ? 'withdraw' : 'answer';
  const path = `/v1/sessions/${session}/interactions/${interactionId}/${route}`;
  const body = act === 'withdraw' ? {} : { decision: act };
  const { status, body: answered } = await send(
    server,
    { method: 'POST', path, body, ...by },
    counts,
  );
  step.status = status;
  if (answered.error !== undefined) step.code = answered.error.code;
}

/** Repeats with the same key until there is a reply. */
async function send(server: FaultServer, request: Ask, counts: Counts): Promise<Answered> {
  const until = Date.now() + GIVE_UP_AFTER_MS;
  counts.requests += 1;
  for (;;) {
    const tried = await attempt(server.url, request);
    if (tried.type === 'answered' && tried.status < 500) return tried;
    if (Date.now() > until) {
      throw new Error(`${request.path}: no reply, ${JSON.stringify(tried)}`);
    }
    if (tried.type === 'in-doubt') counts.repeated += 1;
    await sleep(REPEAT_AFTER_MS);
  }
}

async function readEnd(server: FaultServer, { session, interactionId }: QuorumRace) {
  const read = async (path: string) => {
    const found = await fetch(`${server.url}/v1/sessions/${session}/${path}`, {
      headers: { Authorization: `Bearer ${ADMIN}` },
    });
    return (await found.json()) as {
      readonly events: readonly SessionEvent[];
      readonly interaction: InteractionView;
    };
  };
  const { events } = await read('events?after=0&limit=1000');
  const { interaction: record } = await read(`interactions/${interactionId}`);
  return { events, record };
}
