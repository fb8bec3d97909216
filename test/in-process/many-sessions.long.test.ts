/**
 * More sessions than a process keeps in memory. A bug would leave a person's answer or a deadline behind in a session that
 * left memory, or let memory grow with the number of sessions.
 */
import { expect, it, onTestFinished } from 'vitest';
import { InProcessHost } from '../../src/in-process/index.ts';
import { sqliteFolder } from '../../src/in-process/sqlite.ts';
import type { InProcessStorage } from '../../src/in-process/storage.ts';
import { freshFolder } from './support/folder.ts';
import { HandClock } from './support/hand-clock.ts';
import { approval, ask } from './support/questions.ts';

/** Notes which sessions leave memory. */
function watched(storage: InProcessStorage, released: string[]): InProcessStorage {
  return {
    open() {
      const inner = storage.open();
      return {
        ...inner,
        release(sessionId, isEmpty) {
          released.push(sessionId);
          inner.release(sessionId, isEmpty);
        },
      };
    },
  };
}

it('[INT-8, TIME-2] sessions leave memory when there are many, without a missed event', async () => {
  const clock = new HandClock();
  const released: string[] = [];
  const storage = watched(sqliteFolder(freshFolder()), released);
  const host = new InProcessHost({ storage, clock });
  const holdpoint = host.transport();
  onTestFinished(() => host.close());
  const { id } = await holdpoint.createSession();
  await ask(holdpoint, id, approval('call-1', { timeoutSeconds: 600 }));
  const waiting = holdpoint.interaction(id, 'call-1~1', { waitSeconds: 900 });
  await expect.poll(() => holdpoint.snapshot(id)).toMatchObject({ open: [{ agentWaiting: true }] });
  const { id: quiet } = await holdpoint.createSession();
  await ask(holdpoint, quiet, approval('call-1', { timeoutSeconds: 600 }));
  await clock.pass(1_000);
  for (let count = 0; count < 250; count += 1) {
    await holdpoint.createSession();
    await clock.pass(100);
  }
  expect(released).toContain(quiet);
  expect(released).not.toContain(id);
  await clock.pass(600_000);
  expect((await waiting).outcome).toBe('expired');
  expect((await holdpoint.inbox()).total).toBe(0);
  expect((await holdpoint.interaction(quiet, 'call-1~1')).outcome).toBe('expired');
}, 90_000);
