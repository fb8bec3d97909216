/** An archived session comes back when people should see it, and nobody else changes that. */
import { expect, it } from 'vitest';
import { InProcessHost } from '../../src/in-process/index.ts';
import type { Transport } from '../../src/client/transport.ts';

async function archivedSession(): Promise<{ host: InProcessHost; owner: Transport; id: string }> {
  const host = new InProcessHost({ warn: () => undefined });
  const owner = host.transport();
  const { id } = await owner.createSession({ title: 'Move the notes' });
  await owner.archive(id, true);
  return { host, owner, id };
}

const ASKED = { kind: 'approval', toolName: 'Bash', toolCallId: 'c', input: {} };

it('[DAILY-2] is behind the filter for all, with its event and its entry in the audit list', async () => {
  const { host, owner, id } = await archivedSession();
  const listed = async (archived: boolean) => (await owner.sessions({ archived })).sessions;
  expect(await listed(false)).toEqual([]);
  expect(await listed(true)).toMatchObject([{ id, archived: true }]);
  expect((await owner.snapshot(id)).session.archived).toBe(true);
  await owner.archive(id, false);
  expect(await listed(false)).toMatchObject([{ id }]);
  host.close();
});

it.each([
  ['a request', (owner: Transport, id: string) => owner.open(id, ASKED)],
  ['a message', (owner: Transport, id: string) => owner.sendMessage(id, 'Go on').routed],
])('[DAILY-2] %s brings it back, also for those who look at it', async (_what, happens) => {
  const { host, owner, id } = await archivedSession();
  await happens(owner, id);
  expect((await owner.snapshot(id)).session.archived).toBe(false);
  expect((await owner.sessions({ archived: false })).sessions).toMatchObject([{ id }]);
  host.close();
});

it('[DAILY-2] events of an agent do not bring it back', async () => {
  const { host, owner, id } = await archivedSession();
  await owner.appendEvents(id, [{ type: 'assistant_text', payload: { text: 'Still here' } }]);
  const { sessions } = await owner.sessions({ archived: true });
  expect(sessions).toMatchObject([{ id, lastLine: 'Still here' }]);
  host.close();
});

it('[DAILY-2] needs the scope answer', async () => {
  const { host, id } = await archivedSession();
  const agent = host.transport({ subject: 'agent', scopes: ['agent', 'read', 'send'] });
  await expect(agent.archive(id, false)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(agent.pin(id, true)).rejects.toMatchObject({ code: 'forbidden' });
  const person = host.transport({ subject: 'ada', scopes: ['read'] });
  await person.pin(id, true);
  expect((await person.sessions({ pinned: true })).sessions).toMatchObject([{ id, pinned: true }]);
  host.close();
});
