/**
 * A person allows or denies a tool call. A bug would look like a tool that runs with an unseen input, an
 * accepted choice that the request did not offer, or "allow for session" that allows more than it names.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { describeChanges } from '../../../src/protocol/describe-changes.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { answer, askApproval, COMMAND } from '../../support/asks.ts';
import { person } from '../../support/callers.ts';
import { START, startedWorld, worldAfter } from '../../support/core-world.ts';
import { accepted, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';

const OFFERED = askApproval({}, { offers: ['once', 'session'] });

describe('the decision', () => {
  it('[APR-1] approve lets the tool run with the original input', () => {
    const world = worldAfter(askApproval(), answer('call-1~1', { decision: 'approve' }));
    expect(world.agentReply('call-1~1')).toEqual({ behavior: 'allow', updatedInput: COMMAND });
    expect(world.record('call-1~1')).toMatchObject({
      status: 'settled',
      outcome: 'approved',
      settledBy: { subject: 'ada', via: 'web' },
      settledAt: START,
      updatedInput: COMMAND,
      decision: { decision: 'approve', offer: 'once' },
    });
  });

  it.each([
    [{ decision: 'deny' }, 'User denied tool execution'],
    [{ decision: 'deny', reason: 'Not today' }, 'User denied tool execution. Reason: Not today'],
    [{ decision: 'deny', reason: '  ' }, 'User denied tool execution'],
  ])('[APR-1] %j gives the agent its message', (given, message) => {
    const world = worldAfter(askApproval());
    const decided = world.run(answer('call-1~1', given));
    expect(world.agentReply('call-1~1')).toEqual({ behavior: 'deny', message });
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      outcome: 'denied',
      message,
    });
  });

  it('[APR-1] a reason has at most 1,000 characters', () => {
    const world = worldAfter(askApproval());
    const deny = (reason: string) => answer('call-1~1', { decision: 'deny', reason });
    expect(refused(world.run(deny('x'.repeat(1_001)))).code).toBe('invalid_answer');
    accepted(world.run(deny('x'.repeat(1_000))));
  });

  it.each<[JsonObject]>([
    [{}],
    [{ decision: 'maybe' }],
    [{ decision: '' }],
    [{ decision: ['approve'] }],
    [{ decision: 'approve', aprove: true }],
    [{ decision: 'approve', exact: true }],
    [{ decision: 'approve', updatedInput: [] }],
    [{ decision: 'deny', updatedInput: {} }],
    [{ decision: 'deny', offer: 'session' }],
  ])('[INT-10] %j decides nothing', (given) => {
    const world = worldAfter(OFFERED);
    expect(refused(world.run(answer('call-1~1', given))).code).toBe('invalid_answer');
    expect(world.record('call-1~1').status).toBe('open');
  });
});

describe('an edited input', () => {
  const EDITED = { command: 'ls build' };
  const approveEdited = answer('call-1~1', { decision: 'approve', updatedInput: EDITED });

  it('[APR-2] replaces the original where edits are allowed', () => {
    const world = worldAfter(askApproval({}, { allowEdit: true }), approveEdited);
    expect(world.agentReply('call-1~1')).toEqual({
      behavior: 'allow',
      updatedInput: EDITED,
      message: describeChanges(COMMAND, EDITED),
    });
    expect(world.record('call-1~1').request).toEqual({ input: COMMAND, allowEdit: true });
  });

  it.each([{}, { allowEdit: false }])('[APR-2] is refused with %j', (request) => {
    const world = worldAfter(askApproval({}, request));
    expect(refused(world.run(approveEdited)).code).toBe('not_offered');
    expect(world.record('call-1~1').status).toBe('open');
  });

  const inputSchema: JsonObject = {
    type: 'object',
    properties: { command: { type: 'string', maxLength: 8 }, pattern: { type: 'number' } },
    required: ['command'],
    additionalProperties: false,
  };

  it('[APR-2] is checked against the schema of the tool', () => {
    const world = worldAfter(askApproval({}, { allowEdit: true, inputSchema }));
    const edit = (updatedInput: JsonObject) =>
      world.run(answer('call-1~1', { decision: 'approve', updatedInput }));
    expect(refused(edit({ command: 'rm -rf / --no-preserve-root' }))).toMatchObject({
      code: 'invalid_values',
      details: { fieldErrors: { command: expect.any(String) } },
    });
    expect(refused(edit({})).code).toBe('invalid_values');
    expect(refused(edit({ command: 'ls', more: 1 })).code).toBe('invalid_values');
    expect(refused(edit({ command: 'ls', pattern: 'text' })).code).toBe('invalid_values');
    accepted(edit({ command: 'ls', pattern: 1 }));
  });

  it('[APR-2, LIM-4] never runs a regular expression of the agent', () => {
    const slow = {
      type: 'object',
      properties: { command: { type: 'string', pattern: '^(a+)+$' } },
    };
    const world = worldAfter(askApproval({}, { allowEdit: true, inputSchema: slow }));
    const command = `${'a'.repeat(60)}!`;
    accepted(world.run(answer('call-1~1', { decision: 'approve', updatedInput: { command } })));
  });

  it('[APR-2] a schema that cannot be used is refused when it is opened', () => {
    const ask = askApproval({}, { inputSchema: { $ref: '#/$defs/missing' } });
    expect(refused(startedWorld().run(ask))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('inputSchema'),
    });
  });
});

describe('allow for session', () => {
  const approve = (more: JsonObject) => answer('call-1~1', { decision: 'approve', ...more });

  it('[APR-3] is refused unless it was offered', () => {
    const world = worldAfter(askApproval());
    expect(refused(world.run(approve({ offer: 'session', everyCommand: true })))).toMatchObject({
      code: 'not_offered',
      details: { offers: ['once'] },
    });
    expect(world.live.rules).toEqual([]);
  });

  it('[APR-3] keeps a rule for the tool, made by the person who chose it', () => {
    const world = worldAfter(OFFERED);
    const decided = world.run(approve({ offer: 'session', everyCommand: true }));
    expect(outcomeOf(decided)).toEqual([
      'interaction_response',
      'interaction_pending',
      'session_updated',
    ]);
    expect(world.live.rules).toEqual([
      {
        id: expect.any(String),
        effect: 'allow',
        toolName: 'Bash',
        everyCommand: true,
        createdAt: START,
        createdBy: 'ada',
        interactionId: 'call-1~1',
      },
    ]);
  });

  it('[APR-3, GATE-4] lets later calls of the tool through, with an event that names the rule', () => {
    const world = worldAfter(OFFERED, approve({ offer: 'session', everyCommand: true }));
    const input = { command: 'anything else' };
    const decided = world.run(askApproval({ toolCallId: 'call-2' }, { input }));
    const by = {
      rule: world.live.rules[0]?.id,
      scope: 'session',
      createdBy: 'ada',
      pattern: 'Bash: any input',
    };
    expect(accepted(decided).reply).toEqual({
      type: 'gate',
      decision: { behavior: 'allow', updatedInput: input, by },
    });
    expect(accepted(decided).events).toEqual([
      {
        type: 'tool_call',
        toolCallId: 'call-2',
        payload: { toolName: 'Bash', input, decided: { behavior: 'allow', by } },
      },
    ]);
    expect(world.live.open.size).toBe(0);
  });

  it('[APR-3] for the exact request lets only that request through', () => {
    const world = worldAfter(OFFERED, approve({ offer: 'session', exact: true }));
    const call = (input: JsonObject) => world.run(askApproval({ toolCallId: 'call-2' }, { input }));
    expect(accepted(call({ ...COMMAND })).reply.type).toBe('gate');
    expect(accepted(call({ ...COMMAND, timeout: 1 })).reply.type).toBe('interaction');
  });

  it('[APR-3] for an exact edited request covers the edit, not the original request', () => {
    const ask = askApproval({}, { allowEdit: true, offers: ['session'] });
    const updatedInput = { command: 'ls' };
    const world = worldAfter(ask, approve({ offer: 'session', exact: true, updatedInput }));
    const call = (input: JsonObject) => world.run(askApproval({ toolCallId: 'call-2' }, { input }));
    expect(accepted(call(updatedInput)).reply.type).toBe('gate');
    expect(accepted(call(COMMAND)).reply.type).toBe('interaction');
  });

  it('[APR-3] keeps the same rule once', () => {
    const twice = { ...OFFERED, common: { ...OFFERED.common, toolCallId: 'call-2' } };
    const world = worldAfter(OFFERED, twice, approve({ offer: 'session', everyCommand: true }));
    const decided = world.run(
      answer('call-2~1', { decision: 'approve', offer: 'session', everyCommand: true }),
    );
    expect(outcomeOf(decided)).toEqual(['interaction_response', 'interaction_pending']);
    expect(world.live.rules).toHaveLength(1);
  });

  it('[APR-3] can be revoked, and then the tool needs approval again', () => {
    const world = worldAfter(OFFERED, approve({ offer: 'session', everyCommand: true }));
    const [rule] = world.live.rules;
    const decided = world.run({ type: 'rule.revoke', ruleId: rule?.id ?? '' });
    expect(payloadOf(decided, 'session_updated')).toEqual({
      ruleRevoked: rule?.id,
      by: { subject: 'ada', via: 'web' },
    });
    const again = world.run(askApproval({ toolCallId: 'call-2' }));
    expect(accepted(again).reply.type).toBe('interaction');
  });

  it('[APR-3] stops at the limit of rules, except where the rule exists already', () => {
    const world = worldAfter(OFFERED);
    const rules = Array.from({ length: LIMITS.rules }, (_, index) => ({
      id: `rule-${index}`,
      toolName: `Tool${index}`,
      createdAt: START,
      createdBy: 'ada',
      interactionId: 'call-0~1',
    }));
    world.state = { ...world.live, rules };
    expect(refused(world.run(approve({ offer: 'session', everyCommand: true })))).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'rules', max: 200 },
    });
    expect(world.record('call-1~1').status).toBe('open');

    const [first, ...others] = rules;
    world.state = {
      ...world.live,
      rules: [{ ...first!, toolName: 'Bash', everyCommand: true as const }, ...others],
    };
    accepted(world.run(approve({ offer: 'session', everyCommand: true }), { caller: person() }));
    expect(world.live.rules).toHaveLength(LIMITS.rules);
  });
});
