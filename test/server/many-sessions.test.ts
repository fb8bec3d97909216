/**
 * Many sessions with an open question each, ten thousand in the long run, in the built bundle under plain workerd.
 *
 * A bug here looks like the one object of a workspace, which receives the reports of all sessions, falling behind and
 * refusing; or like an open list that skips or doubles sessions between two pages.
 */
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startWorkerd } from '../../scripts/workerd.ts';
import { countFor } from '../support/run-length.ts';

const COUNT = countFor({ quick: 100, long: 10_000 });
const AT_ONCE = 32;
/**
 * A session in memory has three open files, until ten seconds after its last use. Ten thousand sessions created as fast
 * as possible exceed the limit of open files on many machines.
 */
const MOST_PER_SECOND = 300;
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 1024 ** 3;
const MOST_TRIES = 3;
const ADMIN = 'test-admin-key-000000000000000000000000';

let repeated = 0;

it('[INBOX-1] lists each of many sessions once, and removes it when answered', {
  timeout: 600_000,
}, async () => {
  const { url, output, exited } = await start();
  const died = exited.then(({ code, signal }) => {
    throw new Error(`workerd ended by itself (${signal ?? code}): ${output()}`);
  });
  await Promise.race([died, openListAndAnswer(url)]);
  expect(output()).not.toMatch(/uncaught/i);
});

async function openListAndAnswer(url: string): Promise<void> {
  const ids = Array.from({ length: COUNT }, (_, index) => `ses-${index}`);
  const from = performance.now();
  await forEach(ids, async (id, index) => {
    await sleep(Math.max(0, from + (index / MOST_PER_SECOND) * 1_000 - performance.now()));
    await ask(url, 'POST', '/v1/sessions', { id });
    const opened = { kind: 'approval', toolName: 'Bash', toolCallId: id, input: {} };
    await ask(url, 'POST', `/v1/sessions/${id}/interactions`, opened);
  });
  const opened = performance.now();
  await untilTotal(url, COUNT);
  const reported = performance.now();
  expect((await openList(url)).toSorted()).toEqual(ids.toSorted());
  const listed = performance.now();

  const answered = ids.filter((_id, index) => index % 10 === 0);
  await forEach(answered, (id) =>
    ask(url, 'POST', `/v1/sessions/${id}/approve`, { toolCallId: id }),
  );
  await untilTotal(url, COUNT - answered.length);
  const left = ids.filter((_id, index) => index % 10 !== 0);
  expect((await openList(url)).toSorted()).toEqual(left.toSorted());
  console.log(
    `${COUNT} sessions opened in ${seconds(opened - from)}, told ${seconds(reported - opened)} later, ` +
      `listed in ${seconds(listed - reported)}; all in ${seconds(performance.now() - from)}; ` +
      `${repeated} requests repeated`,
  );
}

async function start() {
  const dataDir = mkdtempSync(path.join(roomyFolder(), 'holdpoint-ten-thousand-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const server = await startWorkerd({
    dataDir,
    bindings: {
      HOLDPOINT_SECRET: 'test-secret-that-is-long-enough-000000',
      HOLDPOINT_ADMIN_KEY: ADMIN,
      HOLDPOINT_RATE_LIMIT: '0',
    },
  });
  onTestFinished(async () => {
    await server.kill();
  });
  return server;
}

/** In memory where there is room: the time of a disk for forty thousand commits is not measured here. */
function roomyFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM_BYTES ? MEMORY : tmpdir();
}

interface Page {
  readonly interactions: readonly { readonly sessionId: string }[];
  readonly total: number;
  readonly next?: string;
}

/**
 * Sends a request again when it gets no reply, as every client does: the runtime closes a connection whose request it could
 * not read in time, which happens on a machine whose disk stalls. Each request here may be repeated.
 */
async function ask<Body>(url: string, method: string, where: string, body?: object): Promise<Body> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await askOnce<Body>(url, method, where, body);
    } catch (cause) {
      if (!(cause instanceof TypeError) || tries === MOST_TRIES) throw cause;
      repeated += 1;
    }
  }
}

async function askOnce<Body>(
  url: string,
  method: string,
  where: string,
  body?: object,
): Promise<Body> {
  const response = await fetch(`${url}${where}`, {
    method,
    headers: { Authorization: `Bearer ${ADMIN}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isRepeated = response.status === 409 && text.includes('session_exists');
  if (!response.ok && !isRepeated)
    throw new Error(`${method} ${where}: ${response.status} ${text}`);
  return JSON.parse(text) as Body;
}

/** Every page of the inbox; 997 divides no count of this test evenly. */
async function openList(url: string): Promise<string[]> {
  const sessions: string[] = [];
  let next: string | undefined;
  do {
    const after = next === undefined ? '' : `&after=${next}`;
    const page = await ask<Page>(url, 'GET', `/v1/inbox?limit=997${after}`);
    sessions.push(...page.interactions.map((entry) => entry.sessionId));
    next = page.next;
  } while (next !== undefined);
  return sessions;
}

/** Sessions report to the workspace shortly after they answered; the total shows when all reports have arrived. */
async function untilTotal(url: string, total: number): Promise<void> {
  while ((await ask<Page>(url, 'GET', '/v1/inbox?limit=1')).total !== total) {
    await sleep(50);
  }
}

async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const queue = items.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of queue) await work(item, index);
    }),
  );
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
