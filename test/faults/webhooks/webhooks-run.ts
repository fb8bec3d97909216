/**
 * Kills the server and the receivers of webhooks under load, again and again, and compares what receivers got with the
 * logs of the sessions.
 *
 * Receivers fail, stall, answer twice and close in the middle of a body. At the end all of them work, and:
 *
 * - W1: every event of a log that is announced was delivered to every target, at least once.
 * - W2: what was delivered is an event of the log.
 * - W3: of one session, first deliveries come in the order of `seq`, unless an earlier one had failed.
 * - W4: every request that settled was retired: each `interaction.requested` has its `interaction.resolved`.
 * - W5: an event has one `webhook-id` at a target.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { announceEvent } from '../../../src/core/announce-event.ts';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import { type Ask, attempt, type Body } from '../../support/attempt.ts';
import { makeKey, TEST_BINDINGS } from '../../support/server-credentials.ts';
import { Findings } from '../../support/findings.ts';
import { Random } from '../../support/random.ts';
import {
  type ReceivedWebhook,
  signedHeaders,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.ts';
import type { FaultRun } from '../commands.ts';
import type { FaultReport } from '../report.ts';
import { FaultServer } from '../server.ts';

export interface WebhooksOptions extends FaultRun {
  readonly kills: number;
}

export interface WebhooksReport extends FaultReport {
  readonly kills: number;
  readonly events: number;
  readonly deliveries: number;
  readonly repeats: number;
  readonly answered: number;
}

const ADMIN = TEST_BINDINGS.HOLDPOINT_ADMIN_KEY;
const APPROVAL = { decision: 'approve' };
const SESSIONS = 6;
const TARGETS = 2;
const ROUND_MS = 1_500;
/** Failed deliveries are tried again after 5 and 30 seconds; a kill can cost another 20, and an outbox 60. */
const CATCH_UP_MS = 180_000;

type Fault = 'none' | 'fail' | 'cut' | 'stall' | 'answer' | 'answer-twice';
const FAULTS = { none: 60, fail: 8, cut: 6, stall: 3, answer: 13, 'answer-twice': 10 } as const;

interface Hit extends ReceivedWebhook {
  readonly isOk: boolean;
}

interface TestedTarget {
  readonly secret: string;
  receiver: WebhookReceiver;
  readonly hits: Hit[];
}

export async function runWebhooks(options: WebhooksOptions): Promise<WebhooksReport> {
  const { kills, seed, dataDir, bundle, print = () => undefined } = options;
  const random = new Random(seed);
  const findings = new Findings();
  const server = await FaultServer.start({
    dataDir,
    bundle,
    allowPrivateNetwork: true,
    bindings: { HOLDPOINT_PRIVATE_TOOLS: '1', HOLDPOINT_RATE_LIMIT: '0' },
    onUnexpectedEnd: (evidence) => findings.add('W0', '', evidence),
  });
  const agent = await makeKey(server.url, 'agent', ['agent', 'read']);
  const sessions = Array.from({ length: SESSIONS }, (_, index) => `hooked-${index}`);
  const targets: TestedTarget[] = [];
  let answered = 0;
  let isCalm = false;

  const handle = (target: TestedTarget): WebhookReceiver['handle'] => {
    const chance = random.fork(`target ${targets.length}`);
    return (webhook, response) => {
      const fault: Fault = isCalm ? 'none' : chance.weighted(FAULTS);
      const isAnswer = fault.startsWith('answer') && webhook.type === 'interaction.requested';
      target.hits.push({ ...webhook, isOk: fault === 'none' || fault.startsWith('answer') });
      if (fault === 'fail') response.writeHead(500).end();
      else if (fault === 'cut')
        response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy());
      else if (fault === 'stall') setTimeout(() => response.destroy(), 3_000).unref();
      else if (!isAnswer) response.end('{}');
      else {
        answered += 1;
        response.end(JSON.stringify({ answer: { decision: 'approve' } }));
        if (fault === 'answer-twice') void postAnswer(target, webhook);
      }
    };
  };

  /** The second answer to a delivery; the server may be down, and the request may be settled. */
  const postAnswer = async ({ secret }: TestedTarget, { data }: ReceivedWebhook) => {
    const body = JSON.stringify({ answer: { decision: 'deny' } });
    const path = new URL(data.answer?.url ?? '').pathname;
    const headers = signedHeaders(secret, body);
    await fetch(server.url + path, { method: 'POST', body, headers }).catch(() => undefined);
  };

  for (let index = 0; index < TARGETS; index += 1) {
    const receiver = await startWebhookReceiver();
    const body = { type: 'webhook', url: receiver.url, audience: `Receiver ${index}` };
    const { secret } = await succeed(server, { method: 'POST', path: '/v1/targets', body });
    const target: TestedTarget = { secret: String(secret), receiver, hits: [] };
    receiver.handle = handle(target);
    targets.push(target);
  }
  for (const id of sessions) {
    await succeed(server, { method: 'POST', path: '/v1/sessions', body: { id } });
  }

  let calls = 0;
  const load = async (until: number, chance: Random) => {
    while (Date.now() < until) {
      const at = `/v1/sessions/${chance.pick(sessions) ?? ''}/interactions`;
      const toolCallId = `call-${(calls += 1)}`;
      const body = { kind: 'approval', toolCallId, toolName: 'Bash', input: { calls } };
      await attempt(server.url, { method: 'POST', path: at, body, token: agent });
      if (chance.chance(0.7)) {
        const path = `${at}/${toolCallId}~1`;
        await attempt(
          server.url,
          chance.chance(0.3)
            ? { method: 'DELETE', path, token: agent }
            : { method: 'POST', path: `${path}/answer`, body: APPROVAL, token: ADMIN },
        );
      }
      await sleep(chance.int(5, 60));
    }
  };

  for (let kill = 1; kill <= kills; kill += 1) {
    findings.when = `kill ${kill}`;
    const end = Date.now() + random.int(200, ROUND_MS);
    const workers = [1, 2, 3].map((worker) => load(end, random.fork(`${kill} ${worker}`)));
    await sleep(random.int(100, ROUND_MS));
    const target = random.pick(targets);
    if (target !== undefined && random.chance(0.3)) {
      const { port } = target.receiver;
      await target.receiver.close();
      await sleep(random.int(50, 500));
      target.receiver = await startWebhookReceiver(port);
      target.receiver.handle = handle(target);
    }
    await server.kill();
    await Promise.all(workers);
    await server.restart();
    if (kill % 10 === 0)
      print(`${kill} kills, ${targets.map(({ hits }) => hits.length).join(' and ')} deliveries`);
  }

  findings.when = 'the end';
  isCalm = true;
  const logs = new Map<string, SessionEvent[]>();
  for (const id of sessions) {
    const path = `/v1/sessions/${id}/interactions/cancel`;
    await succeed(server, { method: 'POST', path, body: {} });
    logs.set(id, await readEvents(server, id));
  }
  const wanted = new Map(
    [...logs].flatMap(([id, events]) =>
      events.flatMap((event) => {
        const announcement = announceEvent(event);
        return announcement === undefined ? [] : [[`${id} ${event.seq}`, announcement] as const];
      }),
    ),
  );
  const deadline = Date.now() + CATCH_UP_MS;
  const isMissing = () => targets.some(({ hits }) => missingIn(hits, wanted).length > 0);
  while (isMissing() && Date.now() < deadline) await sleep(500);
  for (const [index, { hits }] of targets.entries())
    check(findings, `target ${index}`, hits, wanted);
  const deliveries = targets.reduce((sum, { hits }) => sum + hits.length, 0);
  for (const { receiver } of targets) await receiver.close();
  await server.stop();
  return {
    seed,
    kills,
    events: wanted.size,
    deliveries,
    repeats: deliveries - targets.length * wanted.size,
    answered,
    findings: findings.kept,
  };
}

type Wanted = ReadonlyMap<string, { readonly type: string; readonly interactionId?: string }>;

const keyOf = ({ data }: ReceivedWebhook) => `${data.sessionId ?? ''} ${data.seq ?? 0}`;

function missingIn(hits: readonly Hit[], wanted: Wanted): string[] {
  const got = new Set(hits.filter(({ isOk }) => isOk).map(keyOf));
  return [...wanted.keys()].filter((key) => !got.has(key));
}

function check(findings: Findings, name: string, hits: readonly Hit[], wanted: Wanted): void {
  for (const key of missingIn(hits, wanted)) {
    const rule = wanted.get(key)?.type === 'interaction.resolved' ? 'W4' : 'W1';
    findings.add(rule, key, `${name} never got ${wanted.get(key)?.type}`);
  }
  const ids = new Map<string, string>();
  const last = new Map<string, number>();
  const failed = new Map<string, Set<number>>();
  for (const hit of hits) {
    const { sessionId = '', seq = 0 } = hit.data;
    const key = keyOf(hit);
    if (wanted.get(key)?.type !== hit.type) findings.add('W2', key, `${name} got ${hit.type}`);
    const known = ids.get(key);
    if (known !== undefined && known !== hit.id) findings.add('W5', key, `${known} and ${hit.id}`);
    const before = last.get(sessionId) ?? 0;
    // A repeat, or a delivery that had failed before, comes later than its successors.
    if (known === undefined && seq < before && !failed.get(sessionId)?.has(seq)) {
      findings.add('W3', key, `${name} got ${seq} after ${before}`);
    }
    ids.set(key, hit.id);
    last.set(sessionId, Math.max(before, seq));
    if (!hit.isOk) failed.set(sessionId, (failed.get(sessionId) ?? new Set()).add(seq));
  }
}

/** The server is up. */
async function succeed(server: FaultServer, request: Omit<Ask, 'token'>): Promise<Body> {
  const made = await attempt(server.url, { ...request, token: ADMIN });
  if (made.type === 'answered' && made.status < 300) return made.body;
  throw new Error(`${request.method} ${request.path}: ${JSON.stringify(made)}`);
}

async function readEvents(server: FaultServer, id: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.seq ?? 0;
    const path = `/v1/sessions/${id}/events?after=${after}&limit=1000`;
    const page = (await succeed(server, { method: 'GET', path })) as unknown as {
      events: SessionEvent[];
      more: boolean;
    };
    events.push(...page.events);
    if (!page.more) return events;
  }
}
