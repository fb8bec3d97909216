/** `holdpoint/acp` and its proxy over the session core in this process, with messages as agents send them. */
import { describe, expect, it, vi } from 'vitest';
import { acpHandlers, AcpProxy } from '../../src/integrations/acp/index.ts';
import { connect } from '../../src/client/agent/connect.ts';
import { ClientError } from '../../src/client/errors.ts';
import { altered, HURRY, pair, SESSION } from '../support/agent.ts';

const OPTIONS = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  { optionId: 'never', name: 'Never allow', kind: 'reject_always' },
];
const ASKED = {
  sessionId: 'editor session/1',
  toolCall: {
    toolCallId: 'toolu_1',
    title: 'List files',
    kind: 'execute',
    rawInput: { command: 'ls' },
  },
  options: OPTIONS,
};
const FORM = {
  mode: 'form',
  sessionId: 'editor session/1',
  message: 'Which database?',
  requestedSchema: { properties: { name: { type: 'string' } }, required: ['name'] },
};

function denying(agentTransport: ReturnType<typeof pair>['agentTransport']) {
  const refusal = new ClientError({ code: 'unauthenticated', message: 'No key', retry: 'never' });
  const transport = altered(agentTransport, { open: () => Promise.reject(refusal) });
  return connect({ transport, session: SESSION, timing: HURRY });
}

describe('a permission request', () => {
  it.each(OPTIONS.map(({ optionId }) => optionId))(
    '[ADP-1] is answered with the option %s of the agent',
    async (choice) => {
      const { agent, person, onlyOpen } = pair();
      const response = acpHandlers(agent).requestPermission({ params: ASKED });
      const { interactionId, toolName, request } = await onlyOpen();
      expect(toolName).toBe('execute');
      expect(request.input).toEqual({ command: 'ls' });
      expect(request.allowEdit).toBeUndefined();
      await person.answer(SESSION, interactionId, { choice });
      expect(await response).toMatchObject({ outcome: { outcome: 'selected', optionId: choice } });
      expect(await person.rules(SESSION)).toEqual([]);
    },
  );

  it('[ADP-1] rejects for this once after a plain denial or the deadline, and says which it was', async () => {
    const { agent, person, onlyOpen } = pair();
    const denied = acpHandlers(agent).requestPermission({ params: ASKED });
    const { interactionId } = await onlyOpen();
    await person.answer(SESSION, interactionId, { decision: 'deny', reason: 'not today' });
    expect(await denied).toMatchObject({
      outcome: { outcome: 'selected', optionId: 'reject' },
      _meta: {
        holdpoint: { outcome: 'denied', message: expect.stringContaining('not today') as string },
      },
    });
    const toolCall = { ...ASKED.toolCall, toolCallId: 'toolu_2' };
    const late = acpHandlers(agent, { timeoutSeconds: 1 });
    expect(await late.requestPermission({ params: { ...ASKED, toolCall } })).toMatchObject({
      outcome: { outcome: 'selected', optionId: 'reject' },
      _meta: { holdpoint: { outcome: 'expired' } },
    });
  });

  it('[ADP-1, GATE-4] is cancelled where nothing else can be said, and never allowed unasked', async () => {
    const { agent, agentTransport, person, onlyOpen } = pair();
    const cancelled = acpHandlers(agent).requestPermission({ params: ASKED });
    await person.cancel(SESSION, (await onlyOpen()).interactionId);
    expect(await cancelled).toMatchObject({ outcome: { outcome: 'cancelled' } });

    const { requestPermission } = acpHandlers(denying(agentTransport));
    expect(await requestPermission({ params: ASKED })).toMatchObject({
      outcome: { outcome: 'selected', optionId: 'reject' },
      _meta: { holdpoint: { outcome: 'not_asked' } },
    });
    const allowOnly = { ...ASKED, options: OPTIONS.slice(0, 2) };
    expect(await requestPermission({ params: allowOnly })).toMatchObject({
      outcome: { outcome: 'cancelled' },
    });
  });

  it('[ADP-1] shows all that describes a call without an input, and asks the same call once', async () => {
    const { agent, person, onlyOpen } = pair();
    const content = [{ type: 'diff', path: '/a', oldText: null, newText: 'b' }];
    const params = { ...ASKED, toolCall: { toolCallId: 'toolu_1', title: 'Edit', content } };
    const first = acpHandlers(agent).requestPermission({ params });
    const again = acpHandlers(agent).requestPermission({ params });
    const { interactionId, request } = await onlyOpen();
    expect(request.input).toEqual({ title: 'Edit', content });
    await person.answer(SESSION, interactionId, { choice: 'allow' });
    expect((await first).outcome).toEqual({ outcome: 'selected', optionId: 'allow' });
    expect((await again).outcome).toEqual({ outcome: 'selected', optionId: 'allow' });
  });
});

describe('a form', () => {
  it('[ADP-1] is accepted, declined or cancelled', async () => {
    const { agent, person, onlyOpen } = pair();
    const { createElicitation } = acpHandlers(agent);
    const accepted = createElicitation({ params: FORM });
    await person.answer(SESSION, (await onlyOpen()).interactionId, { values: { name: 'main' } });
    expect(await accepted).toMatchObject({ action: 'accept', content: { name: 'main' } });
    const declined = createElicitation({ params: FORM });
    await person.answer(SESSION, (await onlyOpen()).interactionId, { decline: true });
    expect(await declined).toMatchObject({ action: 'decline' });
    const cancelled = createElicitation({ params: FORM });
    await person.cancel(SESSION, (await onlyOpen()).interactionId);
    expect(await cancelled).toMatchObject({ action: 'cancel' });
  });

  it('[ADP-1, LNK-1] with an address is a link: opened, declined, or refused as an address', async () => {
    const { agent, person, onlyOpen } = pair();
    const { createElicitation } = acpHandlers(agent);
    const link = (elicitationId: string, url = 'https://example.com/sign-in') =>
      createElicitation({ params: { mode: 'url', message: 'Sign in', url, elicitationId } });
    const accepted = link('e1');
    const { interactionId, kind, request } = await onlyOpen();
    expect([kind, request]).toMatchObject(['link', { elicitationId: 'e1', message: 'Sign in' }]);
    await person.answer(SESSION, interactionId, { opened: true });
    expect(await accepted).toMatchObject({ action: 'accept' });
    const declined = link('e2');
    await person.answer(SESSION, (await onlyOpen()).interactionId, { decline: true });
    expect(await declined).toMatchObject({ action: 'decline' });
    expect(await link('e3', 'javascript:alert(1)')).toMatchObject({ action: 'cancel' });
    expect(await link('e4', 'http://example.com')).toMatchObject({ action: 'cancel' });
  });
});

describe('the proxy', () => {
  function proxied() {
    const world = pair();
    const toEditor: string[] = [];
    const toAgent: string[] = [];
    const proxy = new AcpProxy(world.agent, {
      toEditor: (line) => void toEditor.push(line),
      toAgent: (line) => void toAgent.push(line),
    });
    const replies = () => toAgent.map((line) => JSON.parse(line) as Record<string, unknown>);
    return { ...world, proxy, toEditor, toAgent, replies };
  }
  const line = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });
  const permission = (id: unknown = 7) =>
    line({ id, method: 'session/request_permission', params: ASKED });

  it('[ADP-1] passes every other line on unchanged', () => {
    const { proxy, toEditor, toAgent } = proxied();
    const lines = ['{"jsonrpc": "2.0",  "method":"session/update"}', 'no json', '', 'null', '7'];
    for (const one of lines) proxy.fromAgent(one);
    for (const one of lines) proxy.fromEditor(one);
    expect(toEditor).toEqual(lines);
    expect(toAgent).toEqual(lines);
  });

  it('[ADP-1] answers a request for a person, which the editor never sees', async () => {
    const { proxy, toEditor, replies, person, onlyOpen } = proxied();
    proxy.fromAgent(permission());
    await person.answer(SESSION, (await onlyOpen()).interactionId, { choice: 'always' });
    await vi.waitFor(() =>
      expect(replies()).toMatchObject([
        { jsonrpc: '2.0', id: 7, result: { outcome: { outcome: 'selected', optionId: 'always' } } },
      ]),
    );
    expect(toEditor).toEqual([]);
  });

  it('[ADP-1] tells the agent that forms are possible', () => {
    const { proxy, replies } = proxied();
    const params = { protocolVersion: 1, clientCapabilities: { terminal: true } };
    proxy.fromEditor(line({ id: 0, method: 'initialize', params }));
    expect(replies()).toEqual([
      {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: {
          protocolVersion: 1,
          clientCapabilities: { terminal: true, elicitation: { form: {}, url: {} } },
        },
      },
    ]);
  });

  it.each([
    [
      'the editor cancels the turn',
      (proxy: AcpProxy) =>
        proxy.fromEditor(
          line({ method: 'session/cancel', params: { sessionId: ASKED.sessionId } }),
        ),
    ],
    [
      'the agent cancels the request',
      (proxy: AcpProxy) =>
        proxy.fromAgent(line({ method: '$/cancel_request', params: { requestId: 7 } })),
    ],
  ])('[ADP-1, CAN-4] takes the question back when %s', async (_name, cancel) => {
    const { proxy, replies, person, onlyOpen } = proxied();
    proxy.fromAgent(permission());
    const { interactionId } = await onlyOpen();
    cancel(proxy);
    await vi.waitFor(() =>
      expect(replies()).toContainEqual(
        expect.objectContaining({
          id: 7,
          result: expect.objectContaining({ outcome: { outcome: 'cancelled' } }) as unknown,
        }),
      ),
    );
    expect((await person.interaction(SESSION, interactionId)).outcome).toBe('cancelled');
  });

  it('[GATE-4] refuses batches and requests that are not of ACP, and shows them to no editor', async () => {
    const { proxy, toEditor, replies } = proxied();
    proxy.fromAgent(`[${permission()}]`);
    proxy.fromAgent(line({ id: 8, method: 'session/request_permission', params: { options: [] } }));
    proxy.fromAgent(line({ method: 'session/request_permission', params: ASKED }));
    await vi.waitFor(() =>
      expect(replies()).toMatchObject([
        { id: null, error: { code: -32_600 } },
        { id: 8, error: { code: -32_602 } },
      ]),
    );
    expect(toEditor).toEqual([]);
  });
});
