/** Plans, elicitations and the end of a run, as the Claude Agent SDK sends them. A bug here looks like a model that never receives an answer. */
import { describe, expect, it, vi } from 'vitest';
import { claude } from '../../src/integrations/claude/index.ts';
import type { TurnEvent } from '../../src/client/message-stream/turn-event.ts';
import { pair, SESSION } from '../support/agent.ts';
import { BASH, AGAIN, about, bridge, decide } from './claude-bridge.ts';

describe('a plan', () => {
  it.each([
    ['edit', 'acceptEdits', false],
    ['clean_edit', 'acceptEdits', true],
    ['default', 'default', true],
  ] as const)(
    '[PLN-2, GATE-2] that is approved with %s sets the mode',
    async (decision, mode, clearContext) => {
      const onPlanApproved = vi.fn<() => void>();
      const world = bridge({ onPlanApproved });
      const input = { plan: '1. Look', planFilePath: '/plans/a.md' };
      const asked = world.canUseTool('ExitPlanMode', input, about());
      expect((await world.onlyOpen()).request).toEqual({ plan: '1. Look' });
      await decide(world, { decision });
      expect(await asked).toEqual({
        behavior: 'allow',
        updatedInput: input,
        updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }],
      });
      expect(onPlanApproved).toHaveBeenCalledWith({
        plan: '1. Look',
        clearContext,
        permissionMode: mode,
      });
    },
  );

  it('[PLN-3, PLN-4] that is sent back or cancelled is a denial with the words for the model', async () => {
    const world = bridge();
    const first = world.canUseTool('ExitPlanMode', {}, about());
    await decide(world, { decision: 'adjust', feedback: 'Add tests' });
    expect(await first).toMatchObject({ behavior: 'deny', message: 'Add tests' });
    const second = world.canUseTool('ExitPlanMode', {}, { toolUseID: 'toolu_2' });
    await world.person.cancel(SESSION, (await world.onlyOpen()).interactionId);
    expect(await second).toEqual({ behavior: 'deny', message: 'Plan review cancelled' });
  });
});

describe('an elicitation', () => {
  const requestedSchema = {
    type: 'object',
    properties: { env: { type: 'string', enum: ['staging', 'production'] } },
    required: ['env'],
  };
  const request = { serverName: 'deploy', message: 'Where to?', requestedSchema };

  it('[FORM-1] is a form whose values are accepted, and declined is not cancelled', async () => {
    const world = pair();
    const { onElicitation } = claude(world.agent);
    const first = onElicitation(request, { requestId: 'r-1' });
    const asked = await world.onlyOpen();
    expect(asked).toMatchObject({
      toolName: 'mcp__deploy',
      toolCallId: 'request-r-1',
      request: { title: 'deploy', description: 'Where to?' },
    });
    await world.person.submitForm(SESSION, asked.interactionId, { env: 'staging' });
    expect(await first).toEqual({ action: 'accept', content: { env: 'staging' } });
    const second = onElicitation(request, { requestId: 'r-2' });
    const { interactionId } = await world.onlyOpen();
    await world.person.answer(SESSION, interactionId, { decline: true });
    expect(await second).toEqual({ action: 'decline' });
  });

  it('[FORM-1] without fields is consent, given or declined', async () => {
    const world = pair();
    const { onElicitation } = claude(world.agent);
    const consent = { ...request, requestedSchema: { type: 'object', properties: {} } };
    const first = onElicitation(consent, { requestId: 'r-1' });
    await world.person.submitForm(SESSION, (await world.onlyOpen()).interactionId, {});
    expect(await first).toEqual({ action: 'accept', content: {} });
    const second = onElicitation(consent, { requestId: 'r-2' });
    await world.person.answer(SESSION, (await world.onlyOpen()).interactionId, { decline: true });
    expect(await second).toEqual({ action: 'decline' });
  });

  it('[FORM-1] leaves out a field that may be null and has no answer: MCP has no null', async () => {
    const world = pair();
    const { onElicitation } = claude(world.agent);
    const properties = { note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null } };
    const schema = { type: 'object', properties, required: ['note'], _meta: { a: 1 } };
    const asked = onElicitation({ ...request, requestedSchema: schema }, { requestId: 'r-1' });
    await world.person.submitForm(SESSION, (await world.onlyOpen()).interactionId, {});
    expect(await asked).toEqual({ action: 'accept', content: {} });
  });

  it('[LNK-2] of an address is a link that a person opens, declines or lets expire', async () => {
    const world = pair();
    const { onElicitation } = claude(world.agent);
    const url = 'https://id.example.com/device';
    const asking = { serverName: 'drive', message: 'Sign in', mode: 'url', url } as const;
    const asked = onElicitation({ ...asking, elicitationId: 'e-1' }, { requestId: 'r-1' });
    const open = await world.onlyOpen();
    expect(open).toMatchObject({
      kind: 'link',
      toolName: 'mcp__drive',
      request: { url, message: 'Sign in', title: 'drive', elicitationId: 'e-1' },
    });
    await world.person.answer(SESSION, open.interactionId, { opened: true });
    expect(await asked).toEqual({ action: 'accept' });
    const second = onElicitation(asking, { requestId: 'r-2' });
    await world.person.answer(SESSION, (await world.onlyOpen()).interactionId, { decline: true });
    expect(await second).toEqual({ action: 'decline' });
    const third = onElicitation(asking, { requestId: 'r-3' });
    await world.person.cancel(SESSION, (await world.onlyOpen()).interactionId);
    expect(await third).toEqual({ action: 'cancel' });
  });

  it('[CAN-4, GATE-4] is cancelled if nobody can be asked', async () => {
    const world = pair();
    const { onElicitation } = claude(world.agent, { onDenied: () => undefined });
    const cancel = { action: 'cancel' };
    const nested = { type: 'object', properties: { a: { type: 'object' } } };
    expect(await onElicitation({ ...request, requestedSchema: nested })).toEqual(cancel);
    for (const url of [
      undefined,
      'javascript:alert(1)',
      'http://a.example',
      'https://u:p@a.example',
    ]) {
      expect(await onElicitation({ ...request, mode: 'url', url })).toEqual(cancel);
    }
    const stop = new AbortController();
    const asked = onElicitation(request, { signal: stop.signal });
    await world.onlyOpen();
    stop.abort();
    expect(await asked).toEqual(cancel);
    await world.open(0);
  });
});

describe('who watches the run', () => {
  it('[GATE-4] decides nothing by failing', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const fail = () => {
      throw new Error('no screen');
    };
    const world = bridge({ onEvent: fail, onDenied: fail });
    const asked = world.canUseTool('Bash', BASH, about());
    await decide(world, { decision: 'approve' });
    expect(await asked).toMatchObject({ behavior: 'allow' });
    expect(await world.canUseTool('', BASH)).toMatchObject({ behavior: 'deny' });
    expect(warn).toHaveBeenCalledTimes(3);
    warn.mockRestore();
  });

  it('[STR-2] hears that a question is asked and how it ended, and nothing of a rule', async () => {
    const events: TurnEvent[] = [];
    const world = bridge({ onEvent: (event) => events.push(event) });
    const asked = world.canUseTool('Bash', BASH, about({ suggestions: [AGAIN] }));
    await decide(world, { decision: 'approve', offer: 'session', everyCommand: true });
    await asked;
    await world.canUseTool('Bash', { command: 'ls' }, { toolUseID: 'toolu_2' });
    const ids = { toolCallId: 'toolu_1', interactionId: 'toolu_1~1' };
    expect(events).toMatchObject([
      { type: 'approval_required', toolName: 'Bash', input: JSON.stringify(BASH), ...ids },
      { type: 'interaction_resolved', outcome: 'approved', ...ids },
    ]);
  });
});
