/**
 * [INT-19] Over HTTP: a decision is taken back, and the agent that comes for it waits for the next one. A bug here looks like
 * an agent that acts on a decision that was taken back, or a decision that another person undoes.
 */
import { expect, it } from 'vitest';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { type Reachable, ask, send } from '../support/http/call.ts';
import { keyWith, sign } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';

const server: Reachable = await startRoutes();
const agent = await keyWith('agent');
const person = (subject: string) =>
  sign({
    kind: 'person',
    scopes: ['read', 'answer', 'send'],
    subject,
    expiresAt: Date.now() + 3_600_000,
    mintedBy: ['key_1'],
  });
const [ada, bob] = await Promise.all([person('ada'), person('bob')]);
let sessions = 0;

async function decided(): Promise<{ readonly id: string; readonly path: string }> {
  sessions += 1;
  const id = `undo-${sessions}`;
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id } });
  const path = `/v1/sessions/${id}/interactions`;
  const json = {
    kind: 'approval',
    toolName: 'Deploy',
    toolCallId: 'call_1',
    input: { to: 'prod' },
  };
  await ask(server, { method: 'POST', path, token: agent, json });
  const answer = { method: 'POST', path: `${path}/call_1~1/answer`, token: ada };
  await ask(server, { ...answer, json: { decision: 'approve' } });
  return { id, path };
}

it('[INT-19, INT-8] the agent waits on, by the id that it has, and gets the second decision', async () => {
  const { id, path } = await decided();
  const transport = new HttpTransport({ ...server, token: ada });
  const open = await transport.undo(id, 'call_1~1');
  expect(open).toMatchObject({ interactionId: 'call_1~2', undoes: { by: { subject: 'ada' } } });
  const waiting = ask(server, { method: 'GET', path: `${path}/call_1~1?wait=20`, token: agent });
  await transport.answer(id, 'call_1~2', { decision: 'deny' });
  expect(await waiting).toMatchObject({
    settled: true,
    interaction: { interactionId: 'call_1~2', reply: { behavior: 'deny' } },
  });
});

it('[INT-19, AUTH-6] another person, the agent and a reader are refused, and so is who comes late', async () => {
  const { path } = await decided();
  const undo = { method: 'POST', path: `${path}/call_1~1/undo` };
  for (const token of [bob, agent, await keyWith('read')]) {
    expect((await send(server, { ...undo, token })).status).toBe(403);
  }
  await ask(server, { method: 'GET', path: `${path}/call_1~1`, token: agent });
  const late = await send(server, { ...undo, token: ada });
  expect(late.status).toBe(409);
  expect(JSON.parse(late.text)).toMatchObject({
    error: { code: 'not_undoable', details: { because: 'delivered' } },
  });
});

it('[INT-19] of an agent and a person at the same time, one wins', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { path } = await decided();
    const undo = { method: 'POST', path: `${path}/call_1~1/undo`, token: ada };
    const read = { method: 'GET', path: `${path}/call_1~1`, token: agent };
    const both =
      round % 2 === 0
        ? [send(server, undo), send(server, read)]
        : [send(server, read), send(server, undo)];
    const replies = await Promise.all(both);
    const undone = replies[round % 2];
    const taken = replies[1 - (round % 2)];
    const hasIt = taken?.text.includes('"behavior":"allow"') === true;
    expect([200, 409]).toContain(undone?.status);
    expect(hasIt).toBe(undone?.status === 409);
  }
});
