/**
 * Who may do what, written out a second time. A bug here lets an agent answer its own question, or
 * loosen the rules it works under, so the agent's attempts are tried one by one.
 */
import { describe, expect, it } from 'vitest';
import { authorize, COMMAND_SCOPES } from '../../src/core/authority.ts';
import { Scope } from '../../src/protocol/schema/actor.ts';
import type { Command, CommandType } from '../../src/protocol/schema/command.ts';
import type { PermissionMode } from '../../src/protocol/schema/session.ts';
import {
  answer,
  answerCall,
  append,
  askApproval,
  askPlan,
  askQuestion,
  sendMessage,
} from '../support/asks.ts';
import { admin, agent, holding, person } from '../support/callers.ts';
import { CoreWorld, startedWorld, worldAfter } from '../support/core-world.ts';
import { accepted, refused } from '../support/outcome.ts';

/** Any one of these scopes is enough; the interaction belongs to another caller. */
const ALLOWED: Record<CommandType, readonly Scope[]> = {
  'session.create': ['agent', 'admin'],
  'session.update': ['answer', 'admin'],
  'session.delete': ['admin'],
  'session.clear': ['send', 'admin'],
  'turn.interrupt': ['send', 'admin'],
  'turn.retry': ['send', 'admin'],
  'conversation.restore': ['send', 'admin'],
  'message.send': ['send', 'admin'],
  'message.remove': ['send', 'admin'],
  'tool.result': ['agent', 'admin'],
  'events.append': ['agent', 'admin'],
  'cli.map': ['agent', 'admin'],
  'history.import': ['agent', 'admin'],
  'interaction.open': ['agent', 'admin'],
  'interactions.open': ['agent', 'admin'],
  'interaction.answer': ['answer', 'admin'],
  'interaction.cancel': ['answer', 'admin'],
  'interactions.cancel': ['answer', 'agent', 'admin'],
  'interaction.complete': ['admin'],
  'interaction.extend': ['answer', 'admin'],
  'interaction.undo': ['answer', 'admin'],
  'interaction.withdraw': ['answer', 'admin'],
  'interaction.claim': ['answer', 'admin'],
  'interaction.handover': ['answer', 'admin'],
  'rule.add': ['answer', 'admin'],
  'rule.revoke': ['answer', 'admin'],
  'deadlines.run': ['admin'],
};

const COMMANDS: Record<CommandType, Command> = {
  'session.create': { type: 'session.create' },
  'session.update': { type: 'session.update', changes: { title: 'New' } },
  'session.delete': { type: 'session.delete' },
  'session.clear': { type: 'session.clear' },
  'turn.interrupt': { type: 'turn.interrupt' },
  'turn.retry': { type: 'turn.retry' },
  'conversation.restore': { type: 'conversation.restore', seq: 2 },
  'message.send': sendMessage('Hello'),
  'message.remove': { type: 'message.remove', messageId: 'none' },
  'tool.result': { type: 'tool.result', toolCallId: 'call-1', output: 'done', isError: false },
  'events.append': append({ type: 'thinking', payload: { text: 'Hm' } }),
  'cli.map': { type: 'cli.map', cli: { provider: 'codex', cliSessionId: 'one' } },
  'history.import': {
    type: 'history.import',
    provider: 'codex',
    cliSessionId: 'one',
    entries: 1,
    digest: '',
    rev: 1,
  },
  'interaction.open': askQuestion({ toolCallId: 'call-2' }),
  'interactions.open': {
    type: 'interactions.open',
    openings: [askQuestion({ toolCallId: 'call-2' })],
  },
  'interaction.answer': answer('call-1~1', { decision: 'deny' }),
  'interaction.cancel': { type: 'interaction.cancel', interactionId: 'call-1~1' },
  'interactions.cancel': { type: 'interactions.cancel' },
  'interaction.complete': { type: 'interaction.complete', interactionId: 'call-1~1' },
  'interaction.extend': { type: 'interaction.extend', interactionId: 'call-1~1' },
  'interaction.undo': { type: 'interaction.undo', interactionId: 'call-1~1' },
  'interaction.withdraw': { type: 'interaction.withdraw', interactionId: 'call-1~1' },
  'interaction.claim': { type: 'interaction.claim', interactionId: 'call-1~1' },
  'interaction.handover': {
    type: 'interaction.handover',
    interactionId: 'call-1~1',
    audience: { subjects: ['bob'] },
  },
  'rule.add': { type: 'rule.add', rule: { effect: 'deny', toolName: 'Bash' } },
  'rule.revoke': { type: 'rule.revoke', ruleId: 'rule-1' },
  'deadlines.run': { type: 'deadlines.run' },
};

const cells = (Object.keys(COMMANDS) as CommandType[]).flatMap((type) =>
  Scope.options.map((scope) => [scope, type, ALLOWED[type].includes(scope)] as const),
);

describe('command by scope', () => {
  it.each(cells)('[AUTH-6] %s on %s: %s', (scope, type, allowed) => {
    const world = type === 'session.create' ? new CoreWorld() : worldAfter(askApproval());
    const before = world.state;
    const decided = world.run(COMMANDS[type], { caller: holding(scope) });
    expect(decided.ok || decided.code !== 'forbidden').toBe(allowed);
    if (!allowed) expect(world.state).toBe(before);
  });

  it('[AUTH-6] a credential without scopes may do nothing', () => {
    for (const [type, command] of Object.entries(COMMANDS)) {
      const decided = worldAfter(askApproval()).run(command, { caller: holding() });
      expect(refused(decided).code, type).toBe('forbidden');
    }
  });

  it('[AUTH-2] a forbidden command is refused before anything about the session is checked', () => {
    const nowhere = new CoreWorld();
    expect(refused(nowhere.run(answer('call-1~1', {}), { caller: agent() }))).toMatchObject({
      code: 'forbidden',
      details: { scopes: ['answer'] },
    });
  });

  it('[AUTH-6] the table names every command', () => {
    expect(Object.keys(COMMAND_SCOPES).sort()).toEqual(Object.keys(ALLOWED).sort());
  });
});

describe('an agent alone', () => {
  const attempts: readonly [string, Command][] = [
    ['approve', answer('call-1~1', { decision: 'approve' })],
    ['deny', answer('call-1~1', { decision: 'deny' })],
    ['approve by tool call', answerCall('call-1', { decision: 'approve' })],
    [
      'keep a rule',
      answer('call-1~1', { decision: 'approve', offer: 'session', everyCommand: true }),
    ],
    ['approve its plan', answer('call-2~1', { decision: 'edit' })],
    ['answer its question', answer('call-3~1', { answers: { '0': 'Red' } })],
    ['take one step of it', answer('call-3~1', { question: 0, option: 0 })],
    ['decline it', answer('call-3~1', { decline: true })],
    ['write a message', sendMessage('yes')],
    ['write to the approval', sendMessage('yes', 'call-1~1')],
    ['set a mode', { type: 'session.update', changes: { permissionMode: 'acceptEdits' } }],
    ['rename the session', { type: 'session.update', changes: { title: 'Mine' } }],
    ['change the deadlines', { type: 'session.update', changes: { timeouts: { approval: null } } }],
    ['give itself more time', { type: 'interaction.extend', interactionId: 'call-1~1' }],
    ['revoke a rule', { type: 'rule.revoke', ruleId: 'rule-1' }],
    ['clear', { type: 'session.clear' }],
    ['interrupt', { type: 'turn.interrupt' }],
    ['delete', { type: 'session.delete' }],
    ['make it late', { type: 'deadlines.run' }],
  ];

  it.each(attempts)('[AUTH-6] may not %s', (_what, command) => {
    const world = worldAfter(
      askApproval({}, { offers: ['once', 'session'] }),
      askPlan({ toolCallId: 'call-2' }),
      askQuestion({ toolCallId: 'call-3' }),
    );
    const before = world.state;
    expect(refused(world.run(command, { caller: agent() })).code).toBe('forbidden');
    expect(world.state).toBe(before);
  });

  it.each<[PermissionMode, boolean]>([
    ['default', true],
    ['plan', true],
    ['acceptEdits', false],
    ['bypassPermissions', false],
  ])('[AUTH-6] may create a session in mode %s: %s', (permissionMode, allowed) => {
    const decided = new CoreWorld().run({ type: 'session.create', permissionMode });
    expect(decided.ok).toBe(allowed);
    if (!decided.ok) expect(decided.code).toBe('forbidden');
  });

  it('[AUTH-6] cancels its own questions, by its credential and not by its name', () => {
    const cancel: Command = { type: 'interaction.cancel', interactionId: 'call-1~1' };
    const namesake = { ...agent('other'), subject: agent().subject };
    const world = worldAfter(askApproval());
    expect(refused(world.run(cancel, { caller: namesake })).code).toBe('forbidden');
    accepted(world.run(cancel, { caller: agent() }));
    expect(world.record('call-1~1').outcome).toBe('cancelled');
  });

  it('[AUTH-6, TXT-6] with send as well still answers nothing', () => {
    const caller = holding('agent', 'send');
    const world = worldAfter(askApproval(), askQuestion({ toolCallId: 'call-2' }));
    expect(refused(world.run(sendMessage('yes', 'call-1~1'), { caller })).code).toBe('forbidden');
    expect(refused(world.run(sendMessage('/cancel'), { caller })).code).toBe('forbidden');
    accepted(world.run(sendMessage('Red'), { caller }));
    expect(world.live.open.size).toBe(2);
  });

  it('[AUTH-6, LOG-7] cannot append a decision to the log', () => {
    const forged = append({
      type: 'tool_call',
      toolCallId: 'call-1',
      payload: { toolName: 'Bash', input: {} },
    });
    const world = worldAfter(askApproval(), forged);
    expect(world.record('call-1~1').status).toBe('open');
    expect(world.log.at(-1)?.payload).not.toHaveProperty('decided');
  });
});

describe('the mode', () => {
  const bypass = {
    type: 'session.update',
    changes: { permissionMode: 'bypassPermissions' },
  } as const;

  it('[AUTH-6] bypassPermissions is for admin alone', () => {
    const world = startedWorld();
    for (const caller of [person(), holding('answer', 'send', 'agent', 'read')]) {
      expect(refused(world.run(bypass, { caller }))).toMatchObject({
        code: 'forbidden',
        details: { scopes: ['admin'] },
      });
    }
    accepted(world.run(bypass, { caller: admin() }));
    expect(world.live.info.permissionMode).toBe('bypassPermissions');
  });

  it('[AUTH-6] only admin creates a session in bypassPermissions', () => {
    const create = { type: 'session.create', permissionMode: 'bypassPermissions' } as const;
    const both = holding('agent', 'answer');
    expect(refused(new CoreWorld().run(create, { caller: both })).code).toBe('forbidden');
    accepted(new CoreWorld().run(create, { caller: admin() }));
  });

  it('[AUTH-6] the other modes need the scope answer', () => {
    for (const permissionMode of ['default', 'acceptEdits', 'plan'] as const) {
      const world = startedWorld();
      accepted(world.run({ type: 'session.update', changes: { permissionMode } }));
      expect(world.live.info.permissionMode).toBe(permissionMode);
    }
    const create = { type: 'session.create', permissionMode: 'acceptEdits' } as const;
    accepted(new CoreWorld().run(create, { caller: holding('agent', 'answer') }));
  });
});

it('[AUTH-6] the table of scopes decides, whatever the record holds', () => {
  const record = worldAfter(askApproval()).record('call-1~1');
  const command = COMMANDS['interaction.answer'];
  expect(authorize(command, agent(), record)?.code).toBe('forbidden');
  expect(authorize(command, person(), undefined)).toBeUndefined();
});
