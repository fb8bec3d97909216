/**
 * Waiting under plain workerd: in the call itself for the first two seconds, and then on a connection.
 *
 * A bug would look like an agent that hears nothing because the answer came while its wait moved, or like one that gets no
 * answer after a crash although it asks again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { ask, send } from '../support/http/call.ts';
import { startServer } from '../support/http/server.ts';
import { inLongRun } from '../support/run-length.ts';
import { until } from '../support/until.ts';

const server = await startServer();
const QUESTION = { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } };

interface Waited {
  readonly settled: boolean;
  readonly interaction: { readonly interactionId: string; readonly outcome: string | null };
}

const pathOf = (session: string) => `/v1/sessions/${session}/interactions`;

function openAndWait(session: string, toolCallId: string) {
  const headers = { Prefer: 'wait=55', 'Idempotency-Key': `open-${toolCallId}` };
  const json: JsonObject = { ...QUESTION, toolCallId };
  return send(server, { method: 'POST', path: pathOf(session), json, headers });
}

function poll(session: string, toolCallId: string) {
  return send(server, { method: 'GET', path: `${pathOf(session)}/${toolCallId}~1?wait=55` });
}

function approve(session: string, toolCallId: string) {
  const path = `${pathOf(session)}/${toolCallId}~1/answer`;
  return ask(server, { method: 'POST', path, json: { decision: 'approve' } });
}

async function isOpen(session: string): Promise<{ readonly openedAt: number } | undefined> {
  const page = await ask(server, { method: 'GET', path: pathOf(session) });
  return (page as unknown as { interactions: { readonly openedAt: number }[] }).interactions[0];
}

inLongRun(() => {
  it('[INT-8, INT-9] an answer around the end of two seconds reaches both ways of waiting at once', async () => {
    const answered = [0, 1_000, 1_900, 1_960, 1_990, 2_000, 2_010, 2_040, 2_100, 3_300];
    const late = await Promise.all(
      answered.map(async (ms) => {
        const session = `answered-${ms}`;
        await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: session } });
        const asked = openAndWait(session, 'call-1');
        const { openedAt } = await until(() => isOpen(session));
        const polled = poll(session, 'call-1');
        await sleep(Math.max(100, openedAt + ms - Date.now()));
        await approve(session, 'call-1');
        const from = performance.now();
        for (const reply of [await asked, await polled]) {
          const body = JSON.parse(reply.text) as Waited;
          expect(body).toMatchObject({ settled: true, interaction: { outcome: 'approved' } });
        }
        return performance.now() - from;
      }),
    );
    console.log(`until both have it: ${late.map((ms) => `${Math.round(ms)} ms`).join(', ')}`);
  });
});

it('[INT-8] a kill in the first seconds loses no answer: the repeated requests receive it', async () => {
  const session = 'killed';
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: session } });
  const cut = [openAndWait(session, 'call-1').catch(() => undefined)];
  await until(() => isOpen(session));
  cut.push(poll(session, 'call-1').catch(() => undefined));
  await sleep(300);
  await server.restart('kill');
  await Promise.all(cut);
  const again = [openAndWait(session, 'call-1'), poll(session, 'call-1')];
  await sleep(300);
  await approve(session, 'call-1');
  for (const reply of await Promise.all(again)) {
    const body = JSON.parse(reply.text) as Waited;
    expect(body).toMatchObject({ settled: true, interaction: { outcome: 'approved' } });
  }
});
