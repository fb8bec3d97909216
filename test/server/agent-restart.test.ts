/**
 * An agent that waits through crashes of the server, over the network and through the built bundle.
 *
 * A bug here looks like an agent that fails because of a deploy, or an agent that never receives an answer that a person
 * gave while the agent was disconnected.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createCanUseTool } from '../../src/integrations/claude/index.ts';
import { connect, type ConnectOptions, HttpTransport } from '../../src/client/index.ts';
import { HURRY } from '../support/agent.ts';
import { keyWith } from '../support/http/credentials.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';
import { inLongRun } from '../support/run-length.ts';

const CALL = { toolName: 'Bash', input: { command: 'make deploy' } };
const PATIENCE = { timeout: 30_000, interval: 50 };

const server = await startServer();
const token = await keyWith('agent');
const person = new HttpTransport({ url: server.url, token: ADMIN_KEY });

function agentIn(session: string, options: Partial<ConnectOptions> = {}) {
  const agent = connect({ url: server.url, token, session, timing: HURRY, ...options });
  onTestFinished(() => agent.close());
  return agent;
}

const opened = (session: string) =>
  vi.waitFor(async () => {
    const [interaction] = (await person.snapshot(session)).open;
    if (interaction === undefined) throw new Error('Nothing is open');
    return interaction;
  }, PATIENCE);

const listening = (session: string) =>
  vi.waitFor(async () => expect((await opened(session)).agentWaiting).toBe(true), PATIENCE);

inLongRun(() => {
  it('[INT-8] waits through three crashes of the server, and receives the answer', async () => {
    const onRetry = vi.fn<() => void>();
    const asked = agentIn('long', { onRetry }).approve(CALL, { toolCallId: 'call-1' });
    for (const how of ['kill', 'stop', 'kill'] as const) {
      await listening('long');
      await server.restart(how, () => sleep(1_000));
    }
    await listening('long');
    const { interactionId } = await opened('long');
    await person.answer('long', interactionId, { decision: 'approve' });
    expect(await asked).toMatchObject({
      outcome: 'approved',
      updatedInput: CALL.input,
      interaction: { interactionId: 'call-1~1' },
    });
  });
});

it('[INT-8] starts without a server, and asks once there is one', async () => {
  let asked: Promise<unknown> | undefined;
  await server.restart('kill', async () => {
    asked = agentIn('early').ask([
      { header: 'Color', question: 'Which?', options: [{ label: 'Red' }, { label: 'Blue' }] },
    ]);
    await sleep(1_500);
  });
  const { interactionId, toolCallId } = await opened('early');
  expect(interactionId).toBe(`${toolCallId}~1`);
  await person.submitAnswers('early', toolCallId, { '0': 'Blue' });
  expect(await asked).toMatchObject({ outcome: 'answered', answersByText: { 'Which?': 'Blue' } });
});

it('[INT-5, INT-8] receives an answer that came while the agent was down, after another crash of the server', async () => {
  const first = connect({ url: server.url, token, session: 'both', timing: HURRY });
  const lost = first.approve(CALL, { toolCallId: 'call-1' }).catch(() => 'lost');
  await listening('both');
  await first.close();
  expect(await lost).toBe('lost');
  await server.restart('kill');
  await person.denyTool('both', 'call-1', 'not on a Friday');
  await server.restart('kill');
  expect(await agentIn('both').approve(CALL, { toolCallId: 'call-1' })).toMatchObject({
    outcome: 'denied',
    reason: 'not on a Friday',
  });
});

inLongRun(() => {
  it('[CAN-4] cancels its question once the server is back', async () => {
    const stop = new AbortController();
    const asked = agentIn('aborted')
      .approve(CALL, { toolCallId: 'call-1', signal: stop.signal })
      .catch((cause: unknown) => cause);
    await listening('aborted');
    await server.restart('kill', async () => {
      stop.abort();
      await sleep(500);
    });
    expect(await asked).toMatchObject({
      code: 'aborted',
      details: { interaction: { outcome: 'cancelled' } },
    });
    expect((await person.snapshot('aborted')).open).toEqual([]);
  });
});

it('[GATE-4] denies the tool if the server stays down, and never allows it', async () => {
  const settings = { giveUpAfterSeconds: 0.3, onDenied: () => undefined };
  const canUseTool = createCanUseTool({ client: agentIn('away'), ...settings });
  await server.restart('stop', async () => {
    const result = await canUseTool('Bash', { command: 'ls' }, { toolUseID: 'toolu_1' });
    expect(result).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('Nobody could be asked') as string,
    });
  });
});
