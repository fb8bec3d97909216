/**
 * Kills the server while agents ask about large inputs, each of which is stored in many rows beside its record (INT-17).
 *
 * Each round has a session of its own, in which several agents ask at once about files of 300 KB to 8 MiB. A kill comes at a
 * random moment: while a file arrives, while it is written, or after the reply. Before anything is repeated, every question is
 * looked at; then the agents ask again until they have the reply.
 *
 * What must hold:
 *
 * - L1 A question that was acknowledged is there after the kill.
 * - L2 A question is whole or absent: its download has the bytes and the digest of the file, its record names them, and the log
 *   has its request once. Where there is no record, there is no download and no request.
 * - L3 Asked again, each question is there once, and whole.
 * - L4 The export has every file as it was sent.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import { type Answered, attempt } from '../../support/attempt.ts';
import { Findings } from '../../support/findings.ts';
import { Random } from '../../support/random.ts';
import { TEST_BINDINGS } from '../../support/server-credentials.ts';
import type { FaultRun } from '../commands.ts';
import type { FaultReport } from '../report.ts';
import { FaultServer } from '../server.ts';

export interface LargeInputOptions extends FaultRun {
  readonly kills: number;
}

export interface LargeInputReport extends FaultReport {
  readonly kills: number;
  readonly openings: number;
  /** Their files together. */
  readonly mebibytes: number;
  readonly acknowledgedBefore: number;
  /** Not acknowledged before the kill, and whole after it. */
  readonly unacknowledgedWhole: number;
  readonly absent: number;
}

const TOKEN = TEST_BINDINGS.HOLDPOINT_ADMIN_KEY;
const AT_ONCE = 4;
const LEAST_CHARS = 300_000;
const MOST_CHARS = LIMITS.wholeInputBytes - 100;
/** Most files are of the first size; the time of a kill is spread over what the largest one takes. */
const USUAL_CHARS = 2_000_000;
const KILL_WITHIN_MS = 700;
const REPEAT_AFTER_MS = 30;
const GIVE_UP_AFTER_MS = 120_000;

interface LargeQuestion {
  readonly session: string;
  readonly toolCallId: string;
  readonly input: JsonObject;
  /** Canonical JSON. */
  readonly text: string;
  readonly sha256: string;
  isAcknowledged: boolean;
}

export async function runLargeInputTest(options: LargeInputOptions): Promise<LargeInputReport> {
  const { kills, seed, dataDir, bundle, print } = options;
  const findings = new Findings();
  const onUnexpectedEnd = (evidence: string) => findings.add('server', '', evidence);
  const server = await FaultServer.start({ dataDir, bundle, onUnexpectedEnd });
  const random = new Random(seed);
  const counts = { openings: 0, bytes: 0, acknowledged: 0, whole: 0, absent: 0 };
  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      findings.when = `kill ${kill}`;
      await playRound(server, random.fork(`${kill}`), kill, findings, counts);
      if (kill % 10 === 0) print?.(`${kill} kills, ${findings.count} findings`);
    }
  } finally {
    await server.stop();
  }
  return {
    seed,
    findings: findings.kept,
    kills,
    openings: counts.openings,
    mebibytes: Math.round(counts.bytes / 2 ** 20),
    acknowledgedBefore: counts.acknowledged,
    unacknowledgedWhole: counts.whole,
    absent: counts.absent,
  };
}

async function playRound(
  server: FaultServer,
  random: Random,
  kill: number,
  findings: Findings,
  counts: Record<'openings' | 'bytes' | 'acknowledged' | 'whole' | 'absent', number>,
): Promise<void> {
  const session = `large-${kill}`;
  await untilAnswered(server, 'POST', '/v1/sessions', { id: session });
  const questions = Array.from({ length: AT_ONCE }, (_, index) =>
    makeQuestion(random, session, `call-${index}`),
  );
  const asking = questions.map(async (question) => {
    const tried = await attempt(server.url, openingOf(question));
    // A reply that arrives after the kill was on its way before.
    question.isAcknowledged = tried.type === 'answered' && tried.status < 300;
  });
  await sleep(random.int(0, KILL_WITHIN_MS));
  await server.kill();
  await Promise.all(asking);
  await server.restart();

  for (const question of questions) {
    counts.openings += 1;
    counts.bytes += question.text.length;
    const isThere = await lookAt(server, question, findings);
    if (question.isAcknowledged) {
      counts.acknowledged += 1;
      if (!isThere) findings.add('L1', session, `${question.toolCallId} is gone`);
    } else {
      counts[isThere ? 'whole' : 'absent'] += 1;
    }
  }
  for (const question of questions) {
    const { path, body } = openingOf(question);
    const { status, text } = await untilAnswered(server, 'POST', path, body);
    if (status >= 300) findings.add('L3', session, `asked again: ${status} ${text}`);
    if (!(await lookAt(server, question, findings))) {
      findings.add('L3', session, `${question.toolCallId} is not there after it was asked again`);
    }
  }
  await judgeExport(server, session, questions, findings);
  await untilAnswered(server, 'DELETE', `/v1/sessions/${session}`);
}

function makeQuestion(random: Random, session: string, toolCallId: string): LargeQuestion {
  const chars = random.int(LEAST_CHARS, random.chance(0.2) ? MOST_CHARS : USUAL_CHARS);
  const word = `${session} ${toolCallId} ${random.int(0, 1_000_000)} `;
  const input = { content: word.repeat(Math.ceil(chars / word.length)).slice(0, chars) };
  const text = JSON.stringify(input);
  return { session, toolCallId, input, text, sha256: hashOf(text), isAcknowledged: false };
}

function openingOf({ session, toolCallId, input }: LargeQuestion) {
  const path = `/v1/sessions/${session}/interactions`;
  const body = { kind: 'approval', toolName: 'Write', toolCallId, input };
  return { method: 'POST', path, token: TOKEN, body } as const;
}

/** Whether the question is there; a finding if it is there in part. */
async function lookAt(
  server: FaultServer,
  { session, toolCallId, text, sha256 }: LargeQuestion,
  findings: Findings,
): Promise<boolean> {
  const at = `/v1/sessions/${session}/interactions/${toolCallId}~1`;
  const record = await untilAnswered(server, 'GET', at);
  const file = await untilAnswered(server, 'GET', `${at}/input`);
  const log = await untilAnswered(server, 'GET', `/v1/sessions/${session}/events?limit=1000`);
  const { events } = JSON.parse(log.text) as { events: readonly SessionEvent[] };
  const requests = events.filter(
    (event) => event.type === 'interaction_request' && event.toolCallId === toolCallId,
  ).length;
  const { wholeInput } = record.body.interaction ?? {};
  const parts = {
    record: record.status,
    requests,
    bytes: wholeInput?.bytes,
    sha256: wholeInput?.sha256,
    file: file.status,
    fileSha256: file.status === 200 ? hashOf(file.text) : undefined,
  };
  const isAbsent = parts.record === 404 && requests === 0 && parts.file === 404;
  const isWhole =
    parts.record === 200 &&
    requests === 1 &&
    parts.bytes === text.length &&
    parts.sha256 === sha256 &&
    parts.fileSha256 === sha256;
  if (!isAbsent && !isWhole) findings.add('L2', session, `${toolCallId}: ${JSON.stringify(parts)}`);
  return isWhole;
}

async function judgeExport(
  server: FaultServer,
  session: string,
  questions: readonly LargeQuestion[],
  findings: Findings,
): Promise<void> {
  const { text } = await untilAnswered(server, 'GET', `/v1/sessions/${session}/export`);
  const files = new Map<string, string>();
  for (const line of text.trimEnd().split('\n')) {
    const { interactionId, input } = JSON.parse(line) as Record<string, unknown>;
    if (typeof interactionId !== 'string' || typeof input !== 'string') continue;
    files.set(interactionId, (files.get(interactionId) ?? '') + input);
  }
  for (const { toolCallId, text: sent } of questions) {
    if (files.get(`${toolCallId}~1`) !== sent) findings.add('L4', session, toolCallId);
  }
}

/** Repeats until there is a reply. */
async function untilAnswered(
  server: FaultServer,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: JsonObject,
): Promise<Answered> {
  const until = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    const ask = { method, path, token: TOKEN, ...(body !== undefined && { body }) } as const;
    const tried = await attempt(server.url, ask);
    if (tried.type === 'answered' && tried.status < 500) return tried;
    if (Date.now() > until) throw new Error(`${method} ${path}: ${JSON.stringify(tried)}`);
    await sleep(REPEAT_AFTER_MS);
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
