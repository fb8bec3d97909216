/**
 * Kills the server and the receivers of webhooks under load, again and again, and compares what receivers got with the
 * logs of the sessions.
 *
 * Receivers fail, stall, answer twice and close in the middle of a body. At the end all of them work, and:
 *
 * - W1: every event of a log that is announced was delivered to every target, at least once.
 * - W2: what was delivered is an event of the log.
 * - W3: of one session, first deliveries come in the order of `seq`, unless the server lists two failures of an earlier one.
 * - W4: every request that settled was retired: each `interaction.requested` has its `interaction.resolved`.
 * - W5: an event has one `webhook-id` at a target.
 * - W6: a delivery that only an alarm can send is sent; `alarm-round.ts` has the round.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { announceEvent } from '../../../src/core/announce-event.ts';
import type { DeliveryView } from '../../../src/protocol/schema/target.ts';
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
import { playAlarmRound } from './alarm-round.ts';
import { type Hit, isFor, judgeHits, missingIn, type Wanted } from './judge.ts';

export interface WebhooksOptions extends FaultRun {
  readonly kills: number;
  /** Rounds at the end in which only an alarm can send; each takes a minute. */
  readonly alarms: number;
}

export interface WebhooksReport extends FaultReport {
  readonly kills: number;
  readonly events: number;
  readonly deliveries: number;
  readonly repeats: number;
  readonly answered: number;
  /** From a restart to the delivery that its alarm made, at worst. */
  readonly alarmMs: number;
}

const ADMIN = TEST_BINDINGS.HOLDPOINT_ADMIN_KEY;
const APPROVAL = { decision: 'approve' };
const SESSIONS = 6;
const TARGETS = 2;
const ROUND_MS = 1_500;
/** A receiver fails a delivery so often at most: the pause after a fourth failure is half an hour. */
const MOST_FAILURES = 2;
/** It may be down at one attempt more, whose pause is five minutes, and a quarter more by chance. */
const CATCH_UP_MS = 480_000;

type Fault = 'none' | 'fail' | 'cut' | 'stall' | 'answer' | 'answer-twice';
const FAULTS = { none: 60, fail: 8, cut: 6, stall: 3, answer: 13, 'answer-twice': 10 } as const;

interface TestedTarget {
  readonly id: string;
  readonly secret: string;
  receiver: WebhookReceiver;
  readonly hits: Hit[];
}

export async function runWebhooks(options: WebhooksOptions): Promise<WebhooksReport> {
  const { kills, alarms, seed, dataDir, bundle, print = () => undefined } = options;
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
  let mood: 'wild' | 'calm' | 'down' = 'wild';

  const faultNow = ({ hits }: TestedTarget, id: string, chance: Random): Fault => {
    const failures = hits.filter((hit) => hit.id === id && !hit.isOk).length;
    if (mood === 'wild') return failures < MOST_FAILURES ? chance.weighted(FAULTS) : 'none';
    return mood === 'calm' ? 'none' : 'fail';
  };
  const handle = (target: TestedTarget): WebhookReceiver['handle'] => {
    const chance = random.fork(`target ${targets.length}`);
    return (webhook, response) => {
      const fault: Fault = faultNow(target, webhook.id, chance);
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
    const made = await succeed(server, { method: 'POST', path: '/v1/targets', body });
    const { secret, target: view } = made as unknown as {
      readonly secret: string;
      readonly target: { readonly id: string };
    };
    const target: TestedTarget = { id: view.id, secret, receiver, hits: [] };
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
  mood = 'calm';
  const logs = new Map<string, SessionEvent[]>();
  for (const id of sessions) {
    const path = `/v1/sessions/${id}/interactions/cancel`;
    await succeed(server, { method: 'POST', path, body: {} });
    logs.set(id, await readEvents(server, id));
  }
  const wanted: Wanted = new Map(
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
  for (const [index, target] of targets.entries()) {
    const attempts = await readAttempts(server, target.id);
    judgeHits(findings, `target ${index}`, target.hits, { wanted, attempts });
  }

  const deliveries = targets.reduce((sum, { hits }) => sum + hits.length, 0);

  let alarmMs = 0;
  const openAt = async (id: string): Promise<string> => {
    const body = { kind: 'approval', toolName: 'Bash', input: {} };
    const path = `/v1/sessions/${id}/interactions`;
    const made = await succeed(server, { method: 'POST', path, body });
    const { interactionId } = made['interaction'] as unknown as { interactionId: string };
    return `${id} ${interactionId}`;
  };
  for (let round = 1; round <= alarms && findings.kept.length === 0; round += 1) {
    findings.when = `alarm ${round}`;
    const took = await playAlarmRound({
      findings,
      quietSince: Date.now(),
      setReceivers: (next) => (mood = next),
      open: () => openAt(random.pick(sessions) ?? ''),
      missing: (request, isOk) =>
        targets.filter(({ hits }) => !hits.some((hit) => hit.isOk === isOk && isFor(hit, request)))
          .length,
      async killAndRestart() {
        await server.kill();
        await server.restart();
      },
    });
    print(`alarm ${round}: ${took ?? 'nothing'} ms after the restart`);
    alarmMs = Math.max(alarmMs, took ?? 0);
  }
  for (const { receiver } of targets) await receiver.close();
  await server.stop();
  return {
    seed,
    kills,
    events: wanted.size,
    deliveries,
    repeats: deliveries - targets.length * wanted.size,
    answered,
    alarmMs,
    findings: findings.kept,
  };
}

/** How often each event was attempted, as the server lists it. */
async function readAttempts(server: FaultServer, id: string): Promise<Map<string, number>> {
  const attempts = new Map<string, number>();
  for (let before = ''; ; ) {
    const path = `/v1/targets/${id}/deliveries?limit=1000${before}`;
    const page = (await succeed(server, { method: 'GET', path })) as unknown as {
      deliveries: DeliveryView[];
      next?: string;
    };
    for (const one of page.deliveries) attempts.set(`${one.sessionId} ${one.seq}`, one.attempts);
    if (page.next === undefined) return attempts;
    before = `&before=${page.next}`;
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
