/**
 * [HOOK-1] The translator of hooks. A bug here looks like a tool that runs although a person denied it, or with another
 * input than they saw; a program that takes an empty output for "go on" makes each of these a tool effect.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AskResult } from '../../src/client/agent/ask-until-settled.ts';
import { type HookQuestion, questionOf } from '../../src/integrations/hooks/hook-question.ts';
import {
  notesOf,
  type Hook,
  type HookProgram,
  readHook,
} from '../../src/integrations/hooks/read-hook.ts';
import type { Interaction, JsonObject } from '../../src/protocol/types.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const CALL = {
  session_id: 'one',
  prompt_id: 'prompt-1',
  cwd: '/home/ada/app',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'make deploy' },
  tool_use_id: 'toolu_1',
} as const;

function hookOf(body: JsonObject, program: HookProgram = 'claude-code'): Hook {
  const reading = readHook(body, program);
  if (!reading.ok) throw new Error(reading.message);
  return reading.hook;
}

async function ask(body: JsonObject, program?: HookProgram): Promise<HookQuestion> {
  const question = await questionOf(hookOf({ ...CALL, ...body }, program), hash);
  if (question === undefined || 'denied' in question) throw new Error('Nothing is asked');
  return question;
}

/** A record as the server would send it: its digests differ if the input was edited. */
function settled(question: HookQuestion, record: Partial<Interaction>): AskResult {
  const { input } = question.request as { input?: JsonObject };
  const isEdited =
    record.updatedInput !== undefined &&
    JSON.stringify(record.updatedInput) !== JSON.stringify(input);
  const interaction = {
    interactionId: 'toolu_1~1',
    toolName: question.toolName,
    status: 'settled',
    request: question.request,
    inputDigest: 'shown',
    authorizedDigest: isEdited ? 'edited' : 'shown',
    settledBy: { subject: 'Ada', via: 'web' },
    ...record,
  };
  return { type: 'interaction', interaction: interaction as unknown as Interaction };
}

const approved = (question: HookQuestion, input: JsonObject, rest: Partial<Interaction> = {}) =>
  question.output(
    settled(question, { outcome: 'approved', updatedInput: input, decision: {}, ...rest }),
  ).hookSpecificOutput;

const denied = (question: HookQuestion) =>
  question.output(
    settled(question, {
      outcome: 'denied',
      reason: 'Not today',
      reply: { behavior: 'deny', message: 'Not today' },
    }),
  ).hookSpecificOutput;

describe('[HOOK-1] PreToolUse', () => {
  it('allows with the input that the person saw', async () => {
    expect(approved(await ask({}), CALL.tool_input)).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      permissionDecisionReason: 'Allowed through Holdpoint',
      updatedInput: CALL.tool_input,
    });
  });

  it('says what the person changed, and why they allowed it', async () => {
    const output = approved(
      await ask({}),
      { command: 'make check', timeout: 5 },
      { reason: 'first this' },
    );
    expect(output).toMatchObject({
      permissionDecision: 'allow',
      permissionDecisionReason: 'first this',
      updatedInput: { command: 'make check', timeout: 5 },
    });
    const { additionalContext } = output as { additionalContext: string };
    expect(additionalContext).toContain('- "/command": "make deploy" → "make check"');
    expect(additionalContext).toContain('- "/timeout" added: 5');
    expect(additionalContext).toContain('first this');
  });

  it('denies with the reason of the person', async () => {
    expect(denied(await ask({}))).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Not today',
    });
  });

  it.each(['cancelled', 'expired', 'superseded'] as const)('denies what is %s', async (outcome) => {
    const question = await ask({});
    const { hookSpecificOutput } = question.output(settled(question, { outcome }));
    expect(hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' });
  });

  it('throws on an answer about another input, so that nothing is allowed', async () => {
    const question = await ask({});
    const other = settled(question, {
      outcome: 'approved',
      updatedInput: CALL.tool_input,
      request: { ...question.request, input: { command: 'ls' } },
    });
    expect(() => question.output(other)).toThrow('authorized input');
  });

  it('allows by a rule or the mode of the session', async () => {
    const decision = { behavior: 'allow', updatedInput: CALL.tool_input, by: { mode: 'default' } };
    const { hookSpecificOutput } = (await ask({})).output({ type: 'decided', decision });
    expect(hookSpecificOutput).toMatchObject({ permissionDecision: 'allow' });
  });

  it('defers for Claude Code alone', async () => {
    expect((await ask({})).deferral).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' },
    });
    expect((await ask({}, 'codex')).deferral).toBeUndefined();
    expect((await ask({ hook_event_name: 'PermissionRequest' })).deferral).toBeUndefined();
  });

  it('gives Codex an input only if it was edited', async () => {
    expect(approved(await ask({}, 'codex'), CALL.tool_input)).not.toHaveProperty('updatedInput');
    const output = approved(await ask({}, 'codex'), { command: 'ls' });
    expect(output).toHaveProperty('updatedInput', { command: 'ls' });
  });
});

it('[HOOK-1, ADP-2] the prompt is the instance of an agent', async () => {
  const instanceOf = async (body: JsonObject, program?: HookProgram) =>
    (await ask(body, program)).agentInstance;
  const first = await instanceOf({});
  expect(first).toMatch(/^[A-Za-z0-9_-]{8,128}$/);
  expect(await instanceOf({ tool_use_id: 'toolu_2' })).toBe(first);
  const others = [
    await instanceOf({ prompt_id: 'prompt-2' }),
    await instanceOf({ session_id: 'two' }),
    await instanceOf({}, 'codex'),
  ];
  expect(new Set([first, ...others]).size).toBe(4);
  expect(await instanceOf({ prompt_id: null })).toBeUndefined();
});

describe('[HOOK-1] PermissionRequest', () => {
  const event = { hook_event_name: 'PermissionRequest' };

  it('allows and denies in its own form', async () => {
    expect(approved(await ask(event), { command: 'ls' })).toEqual({
      hookEventName: 'PermissionRequest',
      decision: { behavior: 'allow', updatedInput: { command: 'ls' } },
    });
    expect(denied(await ask(event))).toEqual({
      hookEventName: 'PermissionRequest',
      decision: { behavior: 'deny', message: 'Not today' },
    });
  });

  it('offers Codex no edit, and sends it none of the fields that it refuses', async () => {
    const question = await ask({ ...event, turn_id: 't' }, 'codex');
    expect(question.request).toMatchObject({ allowEdit: false });
    expect(approved(question, CALL.tool_input)).toEqual({
      hookEventName: 'PermissionRequest',
      decision: { behavior: 'allow' },
    });
  });

  it('has one id for one input in one prompt, and another for each further call', async () => {
    const id = async (body: JsonObject, count = 1) =>
      (await ask({ ...event, tool_use_id: '', ...body })).toolCallId(count);
    expect(await id({})).toBe(await id({}));
    const others = await Promise.all([
      id({}, 2),
      id({ prompt_id: 'prompt-2' }),
      id({ session_id: 'two' }),
      id({ tool_name: 'Write' }),
      id({ tool_input: { command: 'ls' } }),
    ]);
    expect(new Set([await id({}), ...others]).size).toBe(6);
    for (const one of others) expect(one).toMatch(/^hook\.[0-9a-f]{40}(\.2)?$/);
  });

  it('offers the session only if Claude Code would remember', async () => {
    expect((await ask(event)).request).toMatchObject({ offers: ['once'] });
    const suggested = { permission_suggestions: [{ type: 'addRules' }] };
    expect((await ask({ ...event, ...suggested })).request).toMatchObject({
      offers: ['once', 'session'],
    });
  });
});

describe('[HOOK-1] tools that ask', () => {
  const questions = [
    {
      question: 'Which?',
      header: 'Pick',
      options: [{ label: 'a, b' }, { label: 'c' }],
      multiSelect: true,
    },
  ];
  const asking = { tool_name: 'AskUserQuestion', tool_input: { questions } };

  it('answers questions in the input, and as lists of JSON', async () => {
    const question = await ask(asking);
    expect(question.request).toMatchObject({
      kind: 'question',
      questions: [{ question: 'Which?' }],
    });
    const ended = settled(question, { outcome: 'answered', answers: { '0': ['a, b', 'c'] } });
    expect(question.output(ended).hookSpecificOutput).toMatchObject({
      permissionDecision: 'allow',
      updatedInput: { questions, answers: { 'Which?': '["a, b","c"]' } },
    });
  });

  it('denies questions of another form without asking', async () => {
    const odd = hookOf({ ...CALL, tool_name: 'AskUserQuestion', tool_input: { questions: [] } });
    expect(await questionOf(odd, hash)).toMatchObject({
      denied: { hookSpecificOutput: { permissionDecision: 'deny' } },
    });
  });

  it('reviews a plan; a permission request also sets the mode', async () => {
    const plan = { tool_name: 'ExitPlanMode', tool_input: { plan: '# Ship' } };
    const question = await ask({ ...plan, hook_event_name: 'PermissionRequest' });
    expect(question.request).toEqual({
      kind: 'plan_review',
      toolName: 'ExitPlanMode',
      plan: '# Ship',
    });
    const ended = settled(question, { outcome: 'approved', decision: { targetMode: 'edit' } });
    expect(question.output(ended).hookSpecificOutput).toEqual({
      hookEventName: 'PermissionRequest',
      decision: {
        behavior: 'allow',
        updatedInput: { plan: '# Ship' },
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      },
    });
  });
});

describe('[HOOK-1] Elicitation', () => {
  const asked = {
    hook_event_name: 'Elicitation',
    mcp_server_name: 'deploys',
    message: 'Which version?',
    requested_schema: { type: 'object', properties: { version: { type: 'string' } } },
  };

  it('keeps accept, decline and cancel apart', async () => {
    const question = await ask(asked);
    expect(question.request).toMatchObject({ kind: 'form', title: 'deploys' });
    const act = (record: Partial<Interaction>) =>
      question.output(settled(question, record)).hookSpecificOutput;
    expect(act({ outcome: 'answered', values: { version: '2' } })).toEqual({
      hookEventName: 'Elicitation',
      action: 'accept',
      content: { version: '2' },
    });
    expect(act({ outcome: 'denied' })).toMatchObject({ action: 'decline' });
    expect(act({ outcome: 'expired' })).toMatchObject({ action: 'cancel' });
    expect(question.refusal('x')).toMatchObject({ hookSpecificOutput: { action: 'cancel' } });
  });

  it('asks a person to open an address, and leaves one without an address to the program', async () => {
    const url = 'https://a.example/';
    const question = await ask({ ...asked, mode: 'url', url, elicitation_id: 'e1' });
    expect(question.request).toMatchObject({ kind: 'link', url, elicitationId: 'e1' });
    const act = (record: Partial<Interaction>) =>
      question.output(settled(question, record)).hookSpecificOutput;
    const opened = { outcome: 'answered', request: { url } } as const;
    expect(act(opened)).toEqual({ hookEventName: 'Elicitation', action: 'accept' });
    expect(() => act({ ...opened, request: { url: 'https://b.example/' } })).toThrow();
    expect(act({ outcome: 'denied' })).toMatchObject({ action: 'decline' });
    expect(act({ outcome: 'expired' })).toMatchObject({ action: 'cancel' });
    const none = hookOf({ ...CALL, ...asked, mode: 'url' });
    expect(await questionOf(none, hash)).toBeUndefined();
  });
});

describe('[HOOK-1] the input of a hook', () => {
  it.each([
    ['no event', { hook_event_name: '' }],
    ['an event that is no text', { hook_event_name: 1 }],
    ['no session', { session_id: '' }],
    ['a path as session', { session_id: '..' }],
    ['a session with a blank', { session_id: 'a b' }],
    ['a long session', { session_id: 'x'.repeat(201) }],
    ['no tool', { tool_name: '' }],
    ['an input that is no object', { tool_input: ['rm'] }],
    ['no call', { tool_use_id: '' }],
    [
      'a permission request without a tool',
      { hook_event_name: 'PermissionRequest', tool_name: null },
    ],
    ['a question of no server', { hook_event_name: 'Elicitation' }],
  ])('with %s is malformed', (_name, wrong) => {
    expect(readHook({ ...CALL, ...wrong }, 'claude-code')).toMatchObject({ ok: false });
  });

  it('may have any tool name and id; the id becomes a legal one without meeting another', async () => {
    const id = async (tool_use_id: string) => (await ask({ tool_use_id })).toolCallId(1);
    expect(await id('toolu_1')).toBe('toolu_1');
    const odd = await Promise.all(['a/b', 'a b', '../x', 'x'.repeat(500), 'ä'].map(id));
    expect(new Set(odd).size).toBe(odd.length);
    for (const one of odd) expect(one).toMatch(/^hashed:[0-9a-f]{64}$/);
  });

  it.each(['SessionStart', 'PostToolUse', 'NewEvent'])('asks nothing at %s', async (event) => {
    const hook = hookOf({ session_id: 'one', hook_event_name: event });
    expect([await questionOf(hook, hash), notesOf(hook)]).toEqual([undefined, []]);
  });
});

describe('[HOOK-2] notes', () => {
  const stop = {
    session_id: 'one',
    hook_event_name: 'Stop',
    prompt_id: 'p',
    last_assistant_message: 'Done.',
  };

  it('are the last text and the end of the turn', async () => {
    expect(notesOf(hookOf(stop))).toEqual([
      { type: 'assistant_text', turnId: 'p', payload: { text: 'Done.' } },
      { type: 'turn_ended', turnId: 'p', payload: { reason: 'completed' } },
    ]);
  });

  it('end no turn in which a task still runs, or that has no name', async () => {
    const types = (body: JsonObject) =>
      notesOf(hookOf({ ...stop, ...body })).map(({ type }) => type);
    expect(types({ background_tasks: [{}] })).toEqual(['assistant_text']);
    expect(types({ prompt_id: null })).toEqual(['assistant_text']);
  });

  it('are what a program announces, except that a question is open', async () => {
    const notified = (type: string) =>
      notesOf(
        hookOf({
          session_id: 'one',
          hook_event_name: 'Notification',
          notification_type: type,
          message: 'Hi',
        }),
      );
    expect(notified('idle_prompt')).toMatchObject([{ payload: { text: 'Hi' } }]);
    expect(notified('permission_prompt')).toEqual([]);
  });
});
