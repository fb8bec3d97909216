/**
 * A slow receiver beside a quick one: 10,000 deliveries that are due to the slow one may not hold up the other.
 *
 * Both times are of one run on one machine: the way of an event to the quick receiver before the slow one has a queue,
 * and while it has. The queue is written into the file of the target, because 10,000 sessions would take minutes.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';

const DUE = 10_000;
const EVENTS = 20;
/** Four at once for so long: in the time of this test the queue hardly becomes shorter. */
const STALL_MS = 8_000;
const TIMEOUT_MS = 240_000;

const server = await startServer({ HOLDPOINT_PRIVATE_TOOLS: '1' }, { allowPrivateNetwork: true });

async function call(path_: string, body: object) {
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(server.url + path_, init);
  expect(response.status, path_).toBe(201);
  return (await response.json()) as { target: { id: string } };
}

/** Milliseconds from each request to its arrival at the receiver, one after another, in a session of their own. */
async function arrivals(receiver: WebhookReceiver, session: string): Promise<number[]> {
  await call('/v1/sessions', { id: session });
  const times: number[] = [];
  for (let at = 0; at < EVENTS; at += 1) {
    const body = { kind: 'approval', toolName: 'Bash', input: { at } };
    const { length } = receiver.received;
    const start = performance.now();
    await call(`/v1/sessions/${session}/interactions`, body);
    await expect
      .poll(() => receiver.received.length, { timeout: 60_000, interval: 2 })
      .toBe(length + 1);
    times.push(performance.now() - start);
  }
  return times.toSorted((left, right) => left - right);
}

/** One delivery each of so many sessions, all of them due. */
function fillQueue(targetId: string): void {
  const folder = path.join(server.dataDir, 'storage', 'target');
  let filled = 0;
  for (const name of readdirSync(folder).filter((one) => /^[0-9a-f]{64}\.sqlite$/.test(one))) {
    const database = new DatabaseSync(path.join(folder, name));
    const config = database.prepare("SELECT value FROM meta WHERE key = 'config'").get();
    if (String(config?.['value']).includes(`"${targetId}"`)) {
      const announcement = { type: 'session.created', seq: 1, at: Date.now() };
      const { changes } = database
        .prepare(
          `WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ?)
           INSERT INTO delivery (session_id, source, at, wait, next_at, attempts, message, result)
           SELECT 'slow-' || n, 'slow-' || n, ?, 'due', ?, 0, ?, ? FROM count`,
        )
        .run(DUE, Date.now(), Date.now(), JSON.stringify(announcement), EMPTY_RESULT);
      filled += Number(changes);
    }
    database.close();
  }
  expect(filled).toBe(DUE);
}

const EMPTY_RESULT = JSON.stringify({ last: null, isDelivered: false });

it(
  '[OUT-3] 10,000 deliveries that are due to a slow target delay another by less than a second',
  async () => {
    const [slow, quick] = [await startWebhookReceiver(), await startWebhookReceiver()];
    onTestFinished(async () => {
      await Promise.all([slow.close(), quick.close()]);
    });
    let open = 0;
    slow.handle = (_webhook, response) => {
      open += 1;
      setTimeout(() => {
        open -= 1;
        response.end();
      }, STALL_MS).unref();
    };
    const filter = { sessions: 'quick-' };
    const events = ['interaction.requested'];
    const { target } = await call('/v1/targets', { type: 'webhook', url: slow.url, events });
    await call('/v1/targets', { type: 'webhook', url: quick.url, events, filter });
    const before = await arrivals(quick, 'quick-before');

    await server.restart('stop', async () => fillQueue(target.id));
    // The first event wakes the slow target, which then has four of its deliveries under way all the time.
    await arrivals(quick, 'quick-waking');
    await expect.poll(() => open, { timeout: 30_000 }).toBe(4);
    const during = await arrivals(quick, 'quick-during');

    const median = (times: readonly number[]) => times[Math.floor(times.length / 2)] ?? 0;
    const slowest = (times: readonly number[]) => times.at(-1) ?? 0;
    console.log(
      `median ${median(before).toFixed(0)} and ${median(during).toFixed(0)} ms, ` +
        `slowest ${slowest(before).toFixed(0)} and ${slowest(during).toFixed(0)} ms`,
    );
    expect(open).toBe(4);
    expect(slow.received.length).toBeLessThan(DUE / 10);
    expect(median(during) - median(before)).toBeLessThan(1_000);
    expect(slowest(during) - slowest(before)).toBeLessThan(1_000);
  },
  TIMEOUT_MS,
);
