/**
 * Kills the server while requests wait for their tool calls.
 *
 * Each round has sessions of its own. In each, two commands report their call and send their request in any order within
 * 800 ms, and a third command sends a request for a call that nobody reports. A kill comes at a random moment; agents and
 * commands repeat what was in flight, with the same id or key, until they have the reply. Each command has a tool name of
 * its own, so a request for the call of another command is wrong whatever the timing was.
 *
 * What must hold afterwards:
 *
 * - P1 No request has the call of another command, and none has a call that nobody reported.
 * - P2 A request whose call was acknowledged before it opened has that call.
 * - P3 Each request opened once, and no two share a call.
 * - P4 Without a call a request opens 1,000 ms after it arrived, and no later than that and the slack. From outside only the
 *   time of sending is known; so this is strict for a request to the warm server, after the others have their replies.
 *   The slack grows by what plain writes take meanwhile: a disk that stalls for a second is no late timer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { InteractionView } from '../../../src/protocol/schema/interaction.ts';
import { type Answered, attempt } from '../../support/attempt.ts';
import { Findings } from '../../support/findings.ts';
import { type Percentiles, percentiles } from '../../support/percentiles.ts';
import { Random } from '../../support/random.ts';
import { TEST_BINDINGS } from '../../support/server-credentials.ts';
import { StallMeter } from '../../support/stall-meter.ts';
import type { FaultReport } from '../report.ts';
import { FaultServer } from '../server.ts';

export interface RendezvousOptions {
  readonly kills: number;
  readonly seed: string;
  readonly dataDir: string;
  readonly bundle?: string | undefined;
  readonly print?: ((line: string) => void) | undefined;
}

export interface RendezvousReport extends FaultReport {
  readonly kills: number;
  readonly requests: number;
  readonly paired: number;
  readonly ownId: number;
  /** Requests and reports that a kill cut off, and that were repeated. */
  readonly repeated: number;
  /** How long after its second a request without a call opened, at a warm server. */
  readonly lateMs: Percentiles;
  readonly lateAfterKillMs: Percentiles;
}

const TOKEN = TEST_BINDINGS.HOLDPOINT_ADMIN_KEY;
const SESSIONS = 4;
const REPEAT_AFTER_MS = 30;
const GIVE_UP_AFTER_MS = 30_000;
const PROBE_EVERY_MS = 50;
/** Of a warm server: the way to the session, and timers of two processes on a machine with other work. */
const SLACK_MS = 300;
/** Of a server that starts: it compiles its code and opens its files first. */
const SLACK_AFTER_KILL_MS = 3_000;
const WARM = 'warm';

/** One command of an agent's shell, and what became of it. */
interface ShellCommand {
  readonly session: string;
  readonly name: string;
  readonly callId: string;
  readonly isReported: boolean;
  acknowledgedAt?: number;
  /** When the try began that had the reply. */
  sentAt?: number;
  opened?: InteractionView;
}

export async function runRendezvousTest(options: RendezvousOptions): Promise<RendezvousReport> {
  const { kills, seed, dataDir, bundle, print } = options;
  const findings = new Findings();
  const onUnexpectedEnd = (evidence: string) => findings.add('server', '', evidence);
  const server = await FaultServer.start({ dataDir, bundle, onUnexpectedEnd });
  const played: ShellCommand[] = [];
  const counts = { repeated: 0 };
  const random = new Random(seed);
  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      findings.when = `kill ${kill}`;
      const stalls = new StallMeter();
      const { round, slowestWriteMs } = await playRound(
        server,
        random.fork(`${kill}`),
        kill,
        counts,
      );
      const stalledMs = stalls.stop() + slowestWriteMs;
      for (const command of round) judge(command, round, stalledMs, findings);
      await judgeLogs(server, round, findings);
      played.push(...round);
      if (kill % 10 === 0) print?.(`${kill} kills, ${findings.count} findings`);
    }
  } finally {
    await server.stop();
  }
  const paired = played.filter(isPaired).length;
  return {
    seed,
    findings: findings.kept,
    kills,
    requests: played.length,
    paired,
    ownId: played.length - paired,
    repeated: counts.repeated,
    lateMs: latenesses(played.filter(({ name }) => name === WARM)),
    lateAfterKillMs: latenesses(played.filter(({ name }) => name !== WARM)),
  };
}

async function playRound(
  server: FaultServer,
  random: Random,
  kill: number,
  counts: { repeated: number },
): Promise<{ readonly round: readonly ShellCommand[]; readonly slowestWriteMs: number }> {
  const sessions = Array.from({ length: SESSIONS }, (_, index) => `r${kill}-${index}`);
  const commandsOf = (names: readonly string[], isReported: boolean) =>
    sessions.flatMap((session) =>
      names.map((name): ShellCommand => {
        return { session, name, callId: `${session}-${name}`, isReported };
      }),
    );
  const commands = [...commandsOf(['first', 'second'], true), ...commandsOf(['unreported'], false)];
  for (const id of sessions) await send(server, '/v1/sessions', { id }, counts);
  const work = commands.flatMap((command) => {
    const [callAt, requestAt] = [random.int(0, 800), random.int(0, 800)];
    const asking = sleep(requestAt).then(() => ask(server, command, counts));
    if (!command.isReported) return [asking];
    return [asking, sleep(callAt).then(() => report(server, command, counts))];
  });
  await sleep(random.int(0, 1_500));
  await server.kill();
  await server.restart();
  await Promise.all(work);
  const warm = commandsOf([WARM], false);
  const allAsked = new AbortController();
  const asking = Promise.all(warm.map((command) => ask(server, command, counts)));
  const [slowestWriteMs] = await Promise.all([
    slowestWriteUntil(allAsked.signal, server, `r${kill}-probe`, counts),
    asking.finally(() => allAsked.abort()),
  ]);
  return { round: [...commands, ...warm], slowestWriteMs };
}

/** What the server takes meanwhile for a write that waits for no call. */
async function slowestWriteUntil(
  end: AbortSignal,
  server: FaultServer,
  session: string,
  counts: { repeated: number },
): Promise<number> {
  let slowestMs = 0;
  while (!end.aborted) {
    const from = Date.now();
    await send(server, '/v1/sessions', { id: `${session}-${from}` }, counts);
    slowestMs = Math.max(slowestMs, Date.now() - from);
    await sleep(PROBE_EVERY_MS);
  }
  return slowestMs;
}

async function report(
  server: FaultServer,
  command: ShellCommand,
  counts: { repeated: number },
): Promise<void> {
  const { session, name, callId: toolCallId } = command;
  const body = { toolCallId, toolName: 'Run', input: { line: `tool-${name} go` } };
  await send(server, `/v1/sessions/${session}/tool-calls`, body, counts);
  command.acknowledgedAt = Date.now();
}

async function ask(
  server: FaultServer,
  command: ShellCommand,
  counts: { repeated: number },
): Promise<void> {
  const { session, name } = command;
  const correlate = { plugin: `tool ${name}`, operation: 'go', command: [`tool-${name}`, 'go'] };
  const request = {
    kind: 'question',
    toolName: name,
    correlate,
    questions: [
      { header: 'Go', question: `Go ${name}?`, options: [{ label: 'Yes' }, { label: 'No' }] },
    ],
  };
  const key = `key-${session}-${name}`;
  const path = `/v1/sessions/${session}/interactions`;
  const { body, sentAt } = await send(server, path, request, counts, key);
  command.sentAt = sentAt;
  if (body.interaction !== undefined) command.opened = body.interaction;
}

/** Repeats until there is a reply. */
async function send(
  server: FaultServer,
  path: string,
  body: JsonObject,
  counts: { repeated: number },
  key?: string,
): Promise<Answered & { readonly sentAt: number }> {
  const until = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    const sentAt = Date.now();
    const request = { method: 'POST', path, token: TOKEN, body, ...(key && { key }) } as const;
    const tried = await attempt(server.url, request);
    if (tried.type === 'answered' && tried.status < 500) return { ...tried, sentAt };
    if (Date.now() > until) throw new Error(`POST ${path}: no reply, ${JSON.stringify(tried)}`);
    if (tried.type === 'in-doubt') counts.repeated += 1;
    await sleep(REPEAT_AFTER_MS);
  }
}

function isPaired({ opened }: ShellCommand): boolean {
  return opened?.correlated !== undefined;
}

/** Undefined if it had a call, or if the reply is that of an earlier try. */
function lateness({ opened, sentAt }: ShellCommand): number | undefined {
  if (opened === undefined || sentAt === undefined || opened.correlated !== undefined) return;
  return opened.openedAt < sentAt ? undefined : opened.openedAt - sentAt - LIMITS.rendezvousMs;
}

function latenesses(commands: readonly ShellCommand[]): Percentiles {
  return percentiles(commands.map(lateness).filter((late) => late !== undefined));
}

function judge(
  command: ShellCommand,
  round: readonly ShellCommand[],
  stalledMs: number,
  findings: Findings,
): void {
  const { session, name, callId, opened, acknowledgedAt = Infinity, isReported } = command;
  const evidence = JSON.stringify(command);
  if (opened === undefined) return findings.add('P3', session, `${name} never opened: ${evidence}`);
  const { toolCallId, correlated, openedAt } = opened;
  const isForeign = round.some((one) => one !== command && one.callId === toolCallId);
  const isUnreported = toolCallId === callId && !isReported;
  if (isForeign || isUnreported || (correlated !== undefined && toolCallId !== callId)) {
    findings.add('P1', session, evidence);
  }
  if (acknowledgedAt < openedAt && toolCallId !== callId) findings.add('P2', session, evidence);
  const late = lateness(command);
  const slack = stalledMs + (name === WARM ? SLACK_MS : SLACK_AFTER_KILL_MS);
  if (late !== undefined && (late < -1 || late > slack)) {
    findings.add('P4', session, `${late} ms late: ${evidence}`);
  }
}

async function judgeLogs(
  server: FaultServer,
  round: readonly ShellCommand[],
  findings: Findings,
): Promise<void> {
  for (const session of new Set(round.map((command) => command.session))) {
    const events = await readLog(server, session);
    for (const { name, callId } of round.filter((command) => command.session === session)) {
      const opened = events.filter(
        ({ type, payload }) => type === 'interaction_request' && payload.toolName === name,
      );
      if (opened.length !== 1) findings.add('P3', session, `${name}: ${JSON.stringify(opened)}`);
      const calls = events.filter(
        ({ type, toolCallId }) => type === 'tool_call' && toolCallId === callId,
      );
      if (calls.length > 1) findings.add('P3', session, `${callId} is logged twice`);
    }
  }
}

async function readLog(server: FaultServer, session: string): Promise<readonly SessionEvent[]> {
  const path = `/v1/sessions/${session}/events?after=0&limit=1000`;
  const read = await fetch(server.url + path, { headers: { Authorization: `Bearer ${TOKEN}` } });
  return ((await read.json()) as { events: readonly SessionEvent[] }).events;
}
