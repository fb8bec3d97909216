/**
 * The calls that need approval. A bug here runs a tool without approval, so the test repeats every cell of
 * the table, and every way out of `plans/` has its line.
 */
import { describe, expect, it } from 'vitest';
import { gate, type GateRules, toolClass } from '../../src/core/gate.ts';
import type { Rule } from '../../src/protocol/schema/rule.ts';
import type { PermissionMode } from '../../src/protocol/schema/session.ts';
import type { ToolClass } from '../../src/protocol/tool-class.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { digestRule } from '../../src/core/digest.ts';
import { askApproval, askForm, askPlan, askQuestion } from '../support/asks.ts';
import { admin } from '../support/callers.ts';
import { type CoreWorld, startedWorld } from '../support/core-world.ts';
import { accepted, outcomeOf } from '../support/outcome.ts';

type Verdict = 'allow' | 'ask' | 'deny';

const CELLS: Record<PermissionMode, Record<ToolClass | 'unknown', Verdict>> = {
  default: { read: 'ask', edit: 'ask', execute: 'ask', unknown: 'ask' },
  acceptEdits: { read: 'allow', edit: 'allow', execute: 'ask', unknown: 'ask' },
  plan: { read: 'allow', edit: 'deny', execute: 'deny', unknown: 'ask' },
  bypassPermissions: { read: 'allow', edit: 'allow', execute: 'allow', unknown: 'allow' },
};

const TOOLS: Record<ToolClass | 'unknown', readonly string[]> = {
  read: ['Read', 'Grep', 'Glob', 'LS', 'List', 'NotebookRead', 'WebSearch', 'WebFetch'],
  edit: ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
  execute: ['Bash'],
  unknown: [
    'read',
    'Task',
    'mcp__files__Read',
    'Bash ',
    '',
    'constructor',
    '__proto__',
    'toString',
  ],
};

function ruleFor(toolName: string, input?: JsonObject): Rule {
  return {
    id: 'rule-1',
    toolName,
    ...(input !== undefined && { inputDigest: digestRule(toolName, input) }),
    createdAt: 0,
    createdBy: 'ada',
    interactionId: 'call-0~1',
  };
}

function verdictOf(toolName: string, input: JsonObject, mode: string, rules: readonly Rule[] = []) {
  return gate({ toolName, input }, mode as PermissionMode, ofSession(rules)).behavior;
}

function ofSession(rules: readonly Rule[]): GateRules {
  return { rules: rules.map((rule) => ({ rule, scope: 'session' })), now: 0 };
}

const modes = Object.keys(CELLS) as PermissionMode[];
const classes = Object.keys(TOOLS) as (ToolClass | 'unknown')[];
const cells = modes.flatMap((mode) =>
  classes.map((kind) => [mode, kind, CELLS[mode][kind]] as const),
);

describe('the mode', () => {
  it.each(cells)('[GATE-1] in %s, tools of class %s: %s', (mode, kind, verdict) => {
    for (const tool of TOOLS[kind]) {
      expect(toolClass(tool), tool).toBe(kind);
      expect(verdictOf(tool, { command: 'ls' }, mode), tool).toBe(verdict);
    }
  });

  it.each(['', 'acceptedits', 'dontAsk', 'constructor', 'undefined'])(
    '[GATE-1] an unknown mode (%j) asks',
    (mode) => {
      for (const tool of ['Read', 'Bash', 'Task']) expect(verdictOf(tool, {}, mode)).toBe('ask');
    },
  );
});

describe('the plan in plan mode', () => {
  it.each([
    [{ file_path: 'plans/next.md' }],
    [{ path: 'plans/next.md' }],
    [{ path: 'plans/2026/november/next.md' }],
    [{ path: 'plans/..next.md' }],
  ])('[GATE-1] %j may be written', (input) => {
    for (const tool of ['Write', 'Edit']) expect(verdictOf(tool, input, 'plan')).toBe('allow');
  });

  it.each<[JsonObject]>([
    [{}],
    [{ path: '' }],
    [{ path: 'plans' }],
    [{ path: 'plans/' }],
    [{ path: 'plans//next.md' }],
    [{ path: '/plans/next.md' }],
    [{ path: './plans/next.md' }],
    [{ path: 'plans/../secrets.env' }],
    [{ path: 'plans/a/../../secrets.env' }],
    [{ path: 'plans/..' }],
    [{ path: 'plans/./next.md' }],
    [{ path: 'plans\\..\\secrets.env' }],
    [{ path: 'plans/..\\secrets.env' }],
    [{ path: 'Plans/next.md' }],
    [{ path: 'myplans/next.md' }],
    [{ path: 'src/plans/next.md' }],
    [{ path: ['plans/next.md'] }],
    [{ file_path: 7, path: 'plans/next.md' }],
    [{ file_path: 'plans/next.md', path: '/etc/passwd' }],
    [{ file_path: '/etc/passwd', path: 'plans/next.md' }],
  ])('[GATE-1] %j may not', (input) => {
    for (const tool of ['Write', 'Edit']) expect(verdictOf(tool, input, 'plan')).toBe('deny');
  });

  it('[GATE-1] is for Write and Edit alone', () => {
    const input = { file_path: 'plans/next.md' };
    for (const tool of ['MultiEdit', 'NotebookEdit', 'Bash'])
      expect(verdictOf(tool, input, 'plan')).toBe('deny');
  });

  it('[GATE-1] is asked about like any other file in default mode', () => {
    expect(verdictOf('Write', { path: 'plans/next.md' }, 'default')).toBe('ask');
  });
});

describe('the order', () => {
  it('[GATE-1] a plan-mode denial comes before a rule', () => {
    expect(verdictOf('Bash', {}, 'plan', [ruleFor('Bash')])).toBe('deny');
  });

  it('[GATE-1] a rule comes before the mode', () => {
    const verdict = gate(
      { toolName: 'Read', input: {} },
      'acceptEdits',
      ofSession([ruleFor('Read')]),
    );
    expect(verdict).toMatchObject({ behavior: 'allow', by: { rule: 'rule-1' } });
    expect(verdictOf('Task', {}, 'plan', [ruleFor('Task')])).toBe('allow');
  });

  it('[GATE-1, APR-3] a rule covers its tool, or exactly its input', () => {
    expect(verdictOf('Bash', { command: 'ls' }, 'default', [ruleFor('Bash')])).toBe('allow');
    expect(verdictOf('bash', { command: 'ls' }, 'default', [ruleFor('Bash')])).toBe('ask');
    const exact = [ruleFor('Bash', { command: 'ls' })];
    expect(verdictOf('Bash', { command: 'ls' }, 'default', exact)).toBe('allow');
    expect(verdictOf('Bash', { command: 'ls ' }, 'default', exact)).toBe('ask');
  });
});

describe('an opening', () => {
  function worldIn(mode: PermissionMode): CoreWorld {
    const world = startedWorld();
    world.run({ type: 'session.update', changes: { permissionMode: mode } }, { caller: admin() });
    return world;
  }

  it('[GATE-4] that the mode allows opens no interaction, reports the decision and is logged', () => {
    const world = worldIn('bypassPermissions');
    const decided = accepted(world.run(askApproval({ turnId: 'turn-1', responseId: 'resp-1' })));
    const by = { mode: 'bypassPermissions' };
    expect(decided.reply).toMatchObject({ type: 'gate', decision: { behavior: 'allow', by } });
    expect(decided.events).toMatchObject([
      {
        type: 'tool_call',
        turnId: 'turn-1',
        responseId: 'resp-1',
        toolCallId: 'call-1',
        payload: { toolName: 'Bash', decided: { behavior: 'allow', by } },
      },
    ]);
    expect(world.records.size).toBe(0);
  });

  it('[GATE-4] that plan mode denies gives the agent the reason', () => {
    const decided = accepted(worldIn('plan').run(askApproval()));
    expect(decided.reply).toEqual({
      type: 'gate',
      decision: {
        behavior: 'deny',
        message: 'Bash is not allowed in plan mode',
        by: { mode: 'plan' },
      },
    });
  });

  it.each(modes)('[QST-7, GATE-1] of a question, plan or form is asked in mode %s', (mode) => {
    const world = worldIn(mode);
    for (const ask of [
      askQuestion({ toolCallId: 'call-q' }),
      askPlan({ toolCallId: 'call-p' }),
      askForm({ toolCallId: 'call-f' }),
    ]) {
      expect(outcomeOf(world.run(ask))).toEqual(['interaction_pending', 'interaction_request']);
    }
  });

  it('[GATE-4, INT-5] asked again after a decision does not pass the gate', () => {
    const world = startedWorld();
    world.run(askApproval());
    world.run({
      type: 'interaction.answer',
      target: { toolCallId: 'call-1' },
      answer: { decision: 'deny' },
    });
    world.run(
      { type: 'session.update', changes: { permissionMode: 'bypassPermissions' } },
      { caller: admin() },
    );
    expect(accepted(world.run(askApproval())).reply).toMatchObject({ interactionId: 'call-1~1' });
    expect(world.agentReply('call-1~1').behavior).toBe('deny');
  });

  it('[GATE-4, INT-14] that replaces another leaves none open, whatever the present mode', () => {
    const world = startedWorld();
    world.run(askApproval());
    world.run(
      { type: 'session.update', changes: { permissionMode: 'bypassPermissions' } },
      { caller: admin() },
    );
    world.run(askApproval({}, { input: { command: 'ls' } }));
    expect(world.record('call-1~1').outcome).toBe('superseded');
    expect(world.live.open.size).toBe(1);
  });
});
