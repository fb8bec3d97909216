/**
 * [HOOK-1, HOOK-2] `POST /v1/hooks/claude-code`: each hook asks in the session of its conversation, and waits.
 *
 * A bug here looks like a tool that runs without an approval, a second run on the approval of the first, or a question
 * in the conversation of another agent.
 * The file is long because its tests share one server and one conversation of an agent.
 */
import { expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { ask, send } from '../support/http/call.ts';
import { keyWith, sessionToken, sign } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';
import { isLongRun, inLongRun } from '../support/run-length.ts';

const server = await startRoutes();
const agent = await keyWith('agent');
let conversations = 0;

interface Conversation {
  readonly id: string;
  readonly session: string;
  hook(body: JsonObject, query?: string, token?: string): Promise<JsonObject>;
  /** The open interactions, as soon as there are so many. */
  open(count?: number): Promise<JsonObject[]>;
  answer(interactionId: unknown, answer: JsonObject): Promise<void>;
  /** A hook that a person denies at once. */
  denied(body: JsonObject, where?: { token?: string; session?: string }): Promise<JsonObject>;
  events(): Promise<JsonObject[]>;
}

function converse(): Conversation {
  conversations += 1;
  const id = `conversation-${conversations}`;
  const session = `claude-code:${id}`;
  const at = `/v1/sessions/${session}`;
  const read = async (path: string, name: string) => {
    const reply = await send(server, { method: 'GET', path: `${at}${path}` });
    return reply.status === 404
      ? []
      : ((JSON.parse(reply.text) as JsonObject)[name] as JsonObject[]);
  };
  return {
    id,
    session,
    hook: (body, query = '', token = agent) =>
      ask(server, {
        method: 'POST',
        path: `/v1/hooks/claude-code${query}`,
        json: { session_id: id, prompt_id: 'prompt-1', cwd: '/home/ada/app', ...body },
        token,
      }),
    open: (count = 1) =>
      vi.waitFor(
        async () => {
          const found = await read('/interactions', 'interactions');
          expect(found).toHaveLength(count);
          return found;
        },
        { timeout: 20_000 },
      ),
    async answer(interactionId, answer) {
      const path = `${at}/interactions/${String(interactionId)}/answer`;
      await ask(server, { method: 'POST', path, json: answer });
    },
    async denied(body, { token, session: asked = session } = {}) {
      const output = this.hook(body, '', token);
      const place = `/v1/sessions/${asked}/interactions`;
      const interactionId = await vi.waitFor(
        async () => {
          const { interactions } = await ask(server, { method: 'GET', path: place });
          const [one] = interactions as JsonObject[];
          expect(one).toBeDefined();
          return one?.interactionId as string;
        },
        { timeout: 20_000 },
      );
      const path = `${place}/${interactionId}/answer`;
      await ask(server, { method: 'POST', path, json: { decision: 'deny' } });
      return output;
    },
    events: () => read('/events', 'events'),
  };
}

const call = (command: string, id = 'toolu_1') => ({
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_use_id: id,
  tool_input: { command },
});
const permission = (command: string) => ({
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command },
});
const decisionOf = ({ hookSpecificOutput }: JsonObject) => hookSpecificOutput as JsonObject;

it.concurrent('[HOOK-1] a call waits for a person, who changes it', async () => {
  const one = converse();
  const output = one.hook(call('make deploy'));
  const [asked = {}] = await one.open();
  expect(asked).toMatchObject({ toolCallId: 'toolu_1', turnId: 'prompt-1', agentWaiting: true });
  await one.answer(asked.interactionId, {
    decision: 'approve',
    updatedInput: { command: 'make check' },
  });
  expect(decisionOf(await output)).toMatchObject({
    permissionDecision: 'allow',
    updatedInput: { command: 'make check' },
  });
});

it.concurrent('[HOOK-2] begins the session of its conversation, with a name, and reports the call', async () => {
  const one = converse();
  const output = one.hook(call('ls'));
  const [asked = {}] = await one.open();
  const snapshot = await ask(server, { method: 'GET', path: `/v1/sessions/${one.session}` });
  expect(snapshot.session).toMatchObject({
    title: 'app (Claude Code)',
    cliSessions: [{ provider: 'claude-code', cliSessionId: one.id, cwd: '/home/ada/app' }],
  });
  const types = (await one.events()).map(({ type }) => type);
  expect(types.slice(-3)).toEqual(['tool_call', 'interaction_pending', 'interaction_request']);
  await one.answer(asked.interactionId, { decision: 'deny', reason: 'No' });
  expect(decisionOf(await output)).toMatchObject({ permissionDecision: 'deny' });
});

it.concurrent('[HOOK-2] asks in the session that has the conversation already', async () => {
  const [one, other] = [converse(), converse()];
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: `mine-${one.id}` } });
  await ask(server, {
    method: 'PUT',
    path: `/v1/sessions/mine-${one.id}/cli`,
    json: { provider: 'claude-code', cliSessionId: one.id },
  });
  await one.hook(call('ls'), '?wait=1');
  expect(await one.events()).toEqual([]);
  const { events } = await ask(server, {
    method: 'GET',
    path: `/v1/sessions/mine-${one.id}/events`,
  });
  expect((events as JsonObject[]).map(({ type }) => type)).toContain('interaction_request');
  expect(await other.events()).toEqual([]);
});

it.concurrent('[HOOK-1] the same call finds its answer again, as often as it is asked for', async () => {
  const one = converse();
  const first = one.hook(call('make deploy'));
  const [asked = {}] = await one.open();
  const second = one.hook(call('make deploy'));
  await one.answer(asked.interactionId, { decision: 'approve' });
  const third = one.hook({ ...call('make deploy'), prompt_id: 'prompt-2' });
  for (const output of [first, second, third]) {
    expect(decisionOf(await output)).toMatchObject({ permissionDecision: 'allow' });
  }
  expect((await one.events()).filter(({ type }) => type === 'tool_call')).toHaveLength(1);
});

it.concurrent('[HOOK-1] an approval under a name counts for no other input', async () => {
  const one = converse();
  const first = one.hook(call('ls'));
  const [asked = {}] = await one.open();
  await one.answer(asked.interactionId, { decision: 'approve' });
  await first;
  expect(decisionOf(await one.hook(call('rm -rf /')))).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('Nobody could be asked'),
  });
});

it.concurrent('[HOOK-1] a permission request is allowed once: the same call again is asked anew', async () => {
  const one = converse();
  const first = one.hook(permission('make deploy'));
  const [asked = {}] = await one.open();
  await one.answer(asked.interactionId, { decision: 'approve' });
  expect(decisionOf(await first)).toMatchObject({ decision: { behavior: 'allow' } });
  const second = one.hook(permission('make deploy'));
  const [again = {}] = await one.open();
  expect(again.interactionId).not.toBe(asked.interactionId);
  await one.answer(again.interactionId, { decision: 'deny', reason: 'Once is enough' });
  expect(decisionOf(await second)).toMatchObject({
    decision: { behavior: 'deny', message: expect.stringContaining('Once is enough') },
  });
});

it.concurrent('[HOOK-1] two equal permission requests at once are two questions', async () => {
  const one = converse();
  const first = one.hook(permission('make deploy'));
  await one.open(1);
  const second = one.hook(permission('make deploy'));
  const [a = {}, b = {}] = await one.open(2);
  await one.answer(a.interactionId, { decision: 'approve' });
  await one.answer(b.interactionId, { decision: 'deny' });
  const behaviors = [decisionOf(await first), decisionOf(await second)].map(
    ({ decision }) => (decision as JsonObject).behavior,
  );
  expect(new Set(behaviors)).toEqual(new Set(['allow', 'deny']));
});

it.concurrent('[HOOK-1] a permission request of a call that was just answered takes that answer', async () => {
  const one = converse();
  const first = one.hook(call('make deploy'));
  const [asked = {}] = await one.open();
  await one.answer(asked.interactionId, {
    decision: 'approve',
    updatedInput: { command: 'make check' },
  });
  await first;
  expect(decisionOf(await one.hook(permission('make check'), '?wait=1'))).toMatchObject({
    decision: { behavior: 'allow', updatedInput: { command: 'make check' } },
  });
  expect(decisionOf(await one.denied(permission('make deploy')))).toMatchObject({
    decision: { behavior: 'deny' },
  });
});

it.concurrent('[HOOK-1] one approval of a call allows one permission request, also of several at once', async () => {
  const one = converse();
  const first = one.hook(call('make deploy'));
  const [asked = {}] = await one.open();
  await one.answer(asked.interactionId, { decision: 'approve' });
  await first;
  const requests = [1, 2, 3].map(() => one.hook(permission('make deploy'), '?wait=1'));
  const behaviors = (await Promise.all(requests)).map(
    (output) => (decisionOf(output).decision as JsonObject).behavior,
  );
  expect(behaviors.filter((behavior) => behavior === 'allow')).toHaveLength(1);
  expect(behaviors.filter((behavior) => behavior === 'deny')).toHaveLength(2);
  const later = await one.hook(permission('make deploy'), '?wait=1');
  expect(decisionOf(later)).toMatchObject({ decision: { behavior: 'deny' } });
});

it.concurrent('[HOOK-1, AUTH-6] an approval allows nothing that another agent runs', async () => {
  const one = converse();
  const other = await keyWith('agent');
  const first = one.hook(call('make deploy'));
  const [asked = {}] = await one.open();
  await one.answer(asked.interactionId, { decision: 'approve' });
  await first;
  expect(decisionOf(await one.hook(call('make deploy'), '?wait=1', other))).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('Another agent'),
  });
  expect(decisionOf(await one.hook(permission('make deploy'), '?wait=1', other))).toMatchObject({
    decision: { behavior: 'deny' },
  });
  expect(decisionOf(await one.hook(permission('make deploy'), '?wait=1'))).toMatchObject({
    decision: { behavior: 'allow' },
  });
  // Its own permission request is approved while it is away: another agent with this input does not take the answer.
  const second = one.hook(permission('make check'));
  const [open = {}] = await one.open();
  const foreign = one.hook(permission('make check'), '', other);
  const [a = {}, b = {}] = await one.open(2);
  const theirs = a.interactionId === open.interactionId ? b : a;
  await one.answer(theirs.interactionId, { decision: 'deny' });
  await one.answer(open.interactionId, { decision: 'approve' });
  const decided = [decisionOf(await second), decisionOf(await foreign)];
  expect(decided).toMatchObject([
    { decision: { behavior: 'allow' } },
    { decision: { behavior: 'deny' } },
  ]);
});

it.concurrent('[HOOK-1] after its time the question is taken back and the call denied', async () => {
  const one = converse();
  const output = decisionOf(await one.hook(call('ls'), '?wait=1'));
  expect(output).toMatchObject({ permissionDecision: 'deny' });
  expect(await one.open(0)).toEqual([]);
});

it.concurrent('[HOOK-1] with defer it stays open, and the resumed call finds the answer', async () => {
  const one = converse();
  const output = decisionOf(await one.hook(call('make deploy'), '?wait=1&defer=1'));
  expect(output).toEqual({ hookEventName: 'PreToolUse', permissionDecision: 'defer' });
  const [asked = {}] = await one.open();
  await one.answer(asked.interactionId, { decision: 'approve' });
  expect(decisionOf(await one.hook(call('make deploy'), '?wait=1&defer=1'))).toMatchObject({
    permissionDecision: 'allow',
  });
});

inLongRun(() => {
  it.concurrent('[HOOK-1, ADP-2] a conversation that is resumed after a kill is not asked twice', async () => {
    const one = converse();
    const left = async (id: string, prompt: string, seconds = 1) => {
      const body = { ...call('make deploy', id), prompt_id: prompt };
      return decisionOf(await one.hook(body, `?wait=${seconds}&defer=1`)).permissionDecision;
    };
    // A question is left behind after its first second.
    expect(await left('toolu_1', 'prompt-1', 2)).toBe('defer');
    const [asked = {}] = await one.open();
    expect(await left('toolu_2', 'prompt-2')).toBe('defer');
    expect(await one.open(1)).toHaveLength(1);
    await one.answer(asked.interactionId, { decision: 'approve' });
    expect(await left('toolu_2', 'prompt-2')).toBe('allow');
    // The first call has lost its question with the answer, and asks anew.
    expect(await left('toolu_1', 'prompt-1')).toBe('defer');
    expect(await one.open()).toHaveLength(1);
  });
});

it.concurrent('[HOOK-1] questions, plans and forms are answered in the form of their event', async () => {
  const one = converse();
  const asking = one.hook({
    ...call('', 'toolu_q'),
    tool_name: 'AskUserQuestion',
    tool_input: {
      questions: [
        { question: 'Which?', header: 'Pick', options: [{ label: 'a' }, { label: 'b' }] },
      ],
    },
  });
  const [question = {}] = await one.open();
  await one.answer(question.interactionId, { answers: { '0': 'b' } });
  expect(decisionOf(await asking)).toMatchObject({
    updatedInput: { answers: { 'Which?': '["b"]' } },
  });
  const planning = one.hook({
    ...call('', 'toolu_p'),
    tool_name: 'ExitPlanMode',
    tool_input: { plan: '# Ship it' },
  });
  const [plan = {}] = await one.open();
  await one.answer(plan.interactionId, { decision: 'default' });
  expect(decisionOf(await planning)).toMatchObject({ permissionDecision: 'allow' });
  const eliciting = one.hook({
    hook_event_name: 'Elicitation',
    mcp_server_name: 'deploys',
    message: 'Which version?',
    requested_schema: {
      type: 'object',
      properties: { version: { type: 'string' } },
      required: ['version'],
    },
  });
  const [form = {}] = await one.open();
  await one.answer(form.interactionId, { values: { version: '2' } });
  expect(decisionOf(await eliciting)).toEqual({
    hookEventName: 'Elicitation',
    action: 'accept',
    content: { version: '2' },
  });
});

it.concurrent('[HOOK-1] what the session refuses to ask is denied', async () => {
  const one = converse();
  const long = { ...call('ls'), tool_name: 'x'.repeat(LIMITS.toolNameChars + 1) };
  expect(decisionOf(await one.hook(long, '?wait=1'))).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('Nobody could be asked'),
  });
});

it.concurrent('[HOOK-2] notes the end of a turn in a session that exists, and begins none', async () => {
  const stop = { hook_event_name: 'Stop', last_assistant_message: 'All done.' };
  const one = converse();
  expect(await one.hook(stop)).toEqual({});
  expect(await one.events()).toEqual([]);
  await one.denied(call('ls'));
  expect(await one.hook(stop)).toEqual({});
  expect((await one.events()).slice(-2)).toMatchObject([
    { type: 'assistant_text', turnId: 'prompt-1', payload: { text: 'All done.' } },
    { type: 'turn_ended', turnId: 'prompt-1' },
  ]);
  expect(await one.hook({ hook_event_name: 'SessionStart' })).toEqual({});
});

it.concurrent('[HOOK-2, AUTH-6] the token of a session asks in that session alone', async () => {
  const [mine, foreign] = [converse(), converse()];
  for (const one of [mine, foreign]) await one.denied(call('ls'));
  const token = await sessionToken(mine.session, 'agent');
  const before = await foreign.events();
  const refused = await send(server, {
    method: 'POST',
    path: '/v1/hooks/claude-code?wait=1',
    json: { session_id: foreign.id, ...call('rm', 'toolu_2') },
    token,
  });
  expect([refused.status, refused.text]).toEqual([
    404,
    expect.not.stringContaining(foreign.session),
  ]);
  expect(await foreign.events()).toEqual(before);
  const fresh = converse();
  await fresh.denied(call('pwd', 'toolu_3'), { token, session: mine.session });
  expect(await fresh.events()).toEqual([]);
  expect(JSON.stringify(await mine.events())).toContain('toolu_3');
});

it.concurrent('[HOOK-2] another workspace asks in a session of its own', async () => {
  const one = converse();
  await one.denied(call('ls'));
  const before = await one.events();
  await one.hook(
    call('rm', 'toolu_2'),
    '?wait=1',
    await sign({ scopes: ['agent'], workspace: 'other' }),
  );
  expect(await one.events()).toEqual(before);
});

it.concurrent('[HOOK-1] a program that is gone takes its question with it, at the end of its time at the latest', async () => {
  const one = converse();
  const leaving = new AbortController();
  const { fetch = globalThis.fetch, url } = server;
  const gone = fetch(`${url}/v1/hooks/claude-code?wait=2`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${agent}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ session_id: one.id, ...call('ls') }),
    signal: leaving.signal,
  }).catch(() => undefined);
  await one.open();
  leaving.abort();
  await gone;
  expect(await one.open(0)).toEqual([]);
  const last = (await one.events()).findLast(({ type }) => type === 'interaction_response');
  // workerd does not report that a client is gone.
  const outcome = isLongRun ? /^(cancelled|expired)$/ : /^cancelled$/;
  expect(last).toMatchObject({ payload: { outcome: expect.stringMatching(outcome) } });
});

it('[LIM-4] is unharmed by all of it', async () => {
  await server.expectUnharmed();
});

it.concurrent('[HOOK-1] after a permission request that was edited, the model is told what changed', async () => {
  const [one, other] = [converse(), converse()];
  const after = (command: string, more: JsonObject = {}) => ({
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 'toolu_1',
    tool_input: { command },
    tool_response: { stdout: '' },
    ...more,
  });
  const output = one.hook(permission('make deploy'));
  const [asked = {}] = await one.open();
  await one.answer(asked.interactionId, {
    decision: 'approve',
    updatedInput: { command: 'make check' },
  });
  await output;
  const told = decisionOf(await one.hook(after('make check')));
  expect(told).toMatchObject({ hookEventName: 'PostToolUse' });
  expect(told.additionalContext).toContain('make deploy');
  expect(told.additionalContext).toContain('make check');
  const failed = await one.hook(after('make check', { hook_event_name: 'PostToolUseFailure' }));
  expect(decisionOf(failed)).toMatchObject({ hookEventName: 'PostToolUseFailure' });
  for (const untold of [
    one.hook(after('make deploy')),
    one.hook(after('make check', { tool_name: 'Other' })),
    one.hook(after('make check', { prompt_id: 'prompt-2' })),
    one.hook({ hook_event_name: 'PostToolUse' }),
    other.hook(after('make check')),
  ]) {
    expect(await untold).toEqual({});
  }
  expect(await other.events()).toEqual([]);

  const unedited = one.hook(permission('ls'));
  const [second = {}] = await one.open();
  await one.answer(second.interactionId, { decision: 'approve' });
  await unedited;
  expect(await one.hook(after('ls'))).toEqual({});
  const foreign = await sessionToken(other.session, 'agent');
  const refused = await send(server, {
    method: 'POST',
    path: '/v1/hooks/claude-code',
    token: foreign,
    json: { ...after('make check'), session_id: one.id, prompt_id: 'prompt-1' },
  });
  expect(refused.text).not.toContain('make deploy');
});

it('[HOOK-1, VOTE-1, VOTE-7] asks as many people as its address says, of those that it names', async () => {
  const talk = converse();
  const query = '?approvals=2&notRequester=1&for=ann,group:ops';
  const bash = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'toolu_two' };
  const output = talk.hook({ ...bash, tool_input: { command: 'make release' } }, query);
  const [open] = await talk.open();
  expect(open).toMatchObject({
    quorum: { approvals: 2 },
    audience: { subjects: ['ann'], groups: ['ops'] },
    notRequester: true,
  });
  await talk.answer(open?.['interactionId'], { decision: 'deny' });
  await output;
  for (const wrong of [
    'approvals=0',
    'approvals=11',
    'for=',
    'for=group:No+Such',
    'notRequester=2',
  ]) {
    const reply = await send(server, {
      method: 'POST',
      path: `/v1/hooks/claude-code?${wrong}`,
      json: { session_id: talk.id, hook_event_name: 'PreToolUse' },
      token: agent,
    });
    expect(reply.status, wrong).toBe(400);
  }
});
