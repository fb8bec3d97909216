/** `holdpoint/codex` over the session core in this process, with messages as the app-server sends them. */
import { describe, expect, it } from 'vitest';
import { codexPeople } from '../../src/integrations/codex/index.ts';
import { connect } from '../../src/client/agent/connect.ts';
import { ClientError } from '../../src/client/errors.ts';
import { altered, HURRY, pair, SESSION } from '../support/agent.ts';

const NAMES = { threadId: 'thread', turnId: 'turn', itemId: 'call_1', startedAtMs: 1 };
const command = (more: object = {}) => ({
  id: 7,
  method: 'item/commandExecution/requestApproval',
  params: { ...NAMES, kind: 'command', command: 'ls', cwd: '/work', approvalId: null, ...more },
});
const CHANGES = [{ path: 'a.txt', kind: { type: 'add' }, diff: '+a' }];
const fileChange = { id: 8, method: 'item/fileChange/requestApproval', params: NAMES };
const started = {
  method: 'item/started',
  params: { ...NAMES, item: { type: 'fileChange', id: 'call_1', changes: CHANGES } },
};

describe('an approval', () => {
  it.each([
    [{ choice: 'accept' }, 'accept'],
    [{ choice: 'acceptForSession' }, 'acceptForSession'],
    [{ choice: 'decline' }, 'decline'],
    [{ choice: 'cancel' }, 'cancel'],
    [{ decision: 'deny' }, 'decline'],
    [{ decision: 'deny', stop: true }, 'cancel'],
  ])('[ADP-1] of a command that is answered with %j is %s', async (answer, decision) => {
    const { agent, person, onlyOpen } = pair();
    const reply = codexPeople(agent)(command());
    const { interactionId, toolCallId, request } = await onlyOpen();
    expect(toolCallId).toBe('thread:call_1');
    expect(request.input).toEqual({ kind: 'command', command: 'ls', cwd: '/work' });
    await person.answer(SESSION, interactionId, answer);
    expect(await reply).toEqual({ id: 7, result: { decision } });
  });

  it('[ADP-1] is declined when the time is over, and cancelled when the question is', async () => {
    const { agent, person, onlyOpen } = pair();
    const late = codexPeople(agent, { timeoutSeconds: 1 })(command());
    expect(await late).toEqual({ id: 7, result: { decision: 'decline' } });
    const cancelled = codexPeople(agent)(command({ approvalId: 'other' }));
    await person.cancel(SESSION, (await onlyOpen()).interactionId);
    expect(await cancelled).toEqual({ id: 7, result: { decision: 'cancel' } });
  });

  it('[ADP-1] of a file change shows the changes, and is declined unasked if they are not known', async () => {
    const { agent, person, onlyOpen } = pair();
    const people = codexPeople(agent);
    expect(await people(fileChange)).toEqual({ id: 8, result: { decision: 'decline' } });
    expect(await people(started)).toBeUndefined();
    const reply = people(fileChange);
    const { interactionId, request } = await onlyOpen();
    expect(request.input).toEqual({ changes: CHANGES });
    await person.answer(SESSION, interactionId, { choice: 'accept' });
    expect(await reply).toEqual({ id: 8, result: { decision: 'accept' } });
  });

  it('[ADP-1] of permissions grants what was shown, for as long as the person said', async () => {
    const { agent, person, onlyOpen } = pair();
    const permissions = { network: { enabled: true }, fileSystem: null };
    const params = { ...NAMES, permissions, cwd: '/work', reason: 'To fetch' };
    const message = { id: 9, method: 'item/permissions/requestApproval', params };
    const reply = codexPeople(agent)(message);
    await person.answer(SESSION, (await onlyOpen()).interactionId, { choice: 'acceptForSession' });
    const granted = { permissions: { network: { enabled: true } }, scope: 'session' };
    expect(await reply).toEqual({ id: 9, result: granted });
    const again = codexPeople(agent)({ ...message, params: { ...params, itemId: 'call_2' } });
    await person.answer(SESSION, (await onlyOpen()).interactionId, { choice: 'decline' });
    expect(await again).toEqual({ id: 9, result: { permissions: {}, scope: 'turn' } });
  });

  it('[GATE-4] is declined if nobody can be asked', async () => {
    const { agentTransport } = pair();
    const refusal = new ClientError({ code: 'unauthenticated', message: 'No', retry: 'never' });
    const transport = altered(agentTransport, { open: () => Promise.reject(refusal) });
    const people = codexPeople(connect({ transport, session: SESSION, timing: HURRY }));
    expect(await people(command())).toEqual({ id: 7, result: { decision: 'decline' } });
  });

  it('[ADP-1, CAN-4] that Codex withdraws is no longer asked', async () => {
    const { agent, person, onlyOpen } = pair();
    const people = codexPeople(agent);
    const reply = people(command());
    const { interactionId } = await onlyOpen();
    await people({ method: 'serverRequest/resolved', params: { ...NAMES, requestId: 7 } });
    expect(await reply).toEqual({ id: 7, result: { decision: 'decline' } });
    expect((await person.interaction(SESSION, interactionId)).outcome).toBe('cancelled');
  });
});

describe('questions', () => {
  const QUESTION = {
    id: 'db',
    header: 'Database',
    question: 'Which database?',
    isOther: true,
    isSecret: false,
    options: [
      { label: 'Postgres', description: 'Known' },
      { label: 'SQLite', description: 'Near' },
    ],
  };
  const OPEN = { id: 'why', header: 'Why', question: 'Why?', isOther: true, options: null };
  const ask = (...questions: readonly object[]) => ({
    id: 5,
    method: 'item/tool/requestUserInput',
    params: { ...NAMES, questions },
  });

  it('[ADP-1] are answered under the ids of Codex, open ones in the words of the person', async () => {
    const { agent, person, onlyOpen } = pair();
    const reply = codexPeople(agent)(ask(QUESTION, OPEN));
    const answers = { '0': 'SQLite', '1': 'It is near' };
    await person.answer(SESSION, (await onlyOpen()).interactionId, { answers });
    expect(await reply).toEqual({
      id: 5,
      result: { answers: { db: { answers: ['SQLite'] }, why: { answers: ['It is near'] } } },
    });
  });

  it('[ADP-1] get no answer if the person declines, or a secret is asked for', async () => {
    const { agent, person, onlyOpen } = pair();
    const people = codexPeople(agent);
    const reply = people(ask(QUESTION));
    await person.answer(SESSION, (await onlyOpen()).interactionId, { decline: true });
    expect(await reply).toEqual({ id: 5, result: { answers: {} } });
    const secret = await people(ask({ ...QUESTION, isSecret: true }));
    expect(secret).toEqual({ id: 5, result: { answers: {} } });
  });

  it('[ADP-1] of an MCP server with a schema are forms', async () => {
    const { agent, person, onlyOpen } = pair();
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    const params = { ...NAMES, serverName: 'db', mode: 'form', message: 'Name?', requestedSchema };
    const message = { id: 6, method: 'mcpServer/elicitation/request', params };
    const accepted = codexPeople(agent)(message);
    await person.answer(SESSION, (await onlyOpen()).interactionId, { values: { name: 'main' } });
    expect(await accepted).toMatchObject({
      result: { action: 'accept', content: { name: 'main' } },
    });
    const declined = codexPeople(agent)(message);
    await person.answer(SESSION, (await onlyOpen()).interactionId, { decline: true });
    expect(await declined).toMatchObject({ result: { action: 'decline', content: null } });
  });

  it('[ADP-1, LNK-1] of an MCP server with an address are links', async () => {
    const { agent, person, onlyOpen } = pair();
    const link = (url: string) => {
      const params = { ...NAMES, serverName: 'db', mode: 'url', message: 'Sign in', url };
      return codexPeople(agent)({ id: 7, method: 'mcpServer/elicitation/request', params });
    };
    const accepted = link('https://example.com/sign-in');
    const { interactionId, kind } = await onlyOpen();
    expect(kind).toBe('link');
    await person.answer(SESSION, interactionId, { opened: true });
    expect(await accepted).toMatchObject({ result: { action: 'accept', content: null } });
    expect(await link('file:///etc/passwd')).toMatchObject({ result: { action: 'cancel' } });
  });
});

it('[ADP-1] leaves every other message to the program', async () => {
  const { agent } = pair();
  const people = codexPeople(agent);
  for (const message of [null, 7, {}, { id: 1, result: {} }, { id: 2, method: 'item/tool/call' }])
    expect(await people(message)).toBeUndefined();
});
