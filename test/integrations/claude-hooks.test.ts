/**
 * The hooks of the bridge, called as the Claude Agent SDK calls them, over the session core in this process.
 *
 * A bug here looks like a tool that runs because its question was postponed, or a model that does not know that its input was
 * changed.
 */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../src/client/agent/connect.ts';
import type { Holdpoint } from '../../src/client/agent/holdpoint.ts';
import { ClientError } from '../../src/client/errors.ts';
import type { TurnEvent } from '../../src/client/message-stream/turn-event.ts';
import type { Transport } from '../../src/client/transport.ts';
import { claude, type DeferSettings } from '../../src/integrations/claude/index.ts';
import type { HookInput, HookOutput } from '../../src/integrations/claude/claude-sdk.ts';
import type { BridgeSettings } from '../../src/integrations/claude/index.ts';
import type { JsonObject } from '../../src/protocol/types.ts';
import { altered, HURRY, pair, SESSION, UNREACHABLE } from '../support/agent.ts';

const BASH = { command: 'npm test' };
const EDITED = { command: 'npm run test:node' };
const QUESTIONS = {
  questions: [{ question: 'Which?', header: 'A', options: [{ label: 'X' }, { label: 'Y' }] }],
};
/** Longer than any test takes: an answer ends the wait. */
const PATIENT: DeferSettings = { afterSeconds: 600 };
const HASTY: DeferSettings = { afterSeconds: 0 };

type Call = Partial<HookInput>;

/** One run of the SDK: its two hooks before a call and the ones after it. */
function runOf(client: Holdpoint, defer: DeferSettings, settings: BridgeSettings = {}) {
  const { canUseTool, hooks } = claude(client, { ...settings, defer });
  const [before] = hooks.PreToolUse ?? [];
  const [decide, fallBack] = before?.hooks ?? [];
  if (decide === undefined || fallBack === undefined) throw new Error('Two hooks come before');
  const inputOf = (call: Call): HookInput => ({
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: BASH,
    tool_use_id: 'toolu_1',
    ...call,
  });
  return {
    canUseTool,
    before,
    /** What the SDK makes of both: `defer` of a single call, and `ask` of one of several. */
    async preToolUse(call: Call = {}, signal = new AbortController().signal) {
      const input = inputOf(call);
      const both = [decide, fallBack].map((hook) => hook(input, input.tool_use_id, { signal }));
      const [alone, amongOthers] = (await Promise.all(both)).map(decisionOf);
      return { ...(alone as Decision), amongOthers: amongOthers?.decision };
    },
    async afterwards(call: Call = {}, event: 'PostToolUse' | 'PostToolUseFailure' = 'PostToolUse') {
      const input = inputOf({ hook_event_name: event, ...call });
      const { signal } = new AbortController();
      const [matcher] = hooks[event];
      const output = await matcher?.hooks[0]?.(input, input.tool_use_id, { signal });
      return output?.hookSpecificOutput;
    },
  };
}

interface Decision {
  readonly decision: string | undefined;
  readonly reason?: string | undefined;
  readonly updatedInput?: object | undefined;
}

function decisionOf({ hookSpecificOutput: output }: HookOutput): Decision {
  if (output === undefined) return { decision: undefined };
  if (output.hookEventName !== 'PreToolUse') throw new Error('An output of another event');
  const { permissionDecision: decision, permissionDecisionReason: reason, updatedInput } = output;
  return { decision, reason, updatedInput };
}

/** The same agent in a process of its own, which knows nothing of the first. */
function nextProcess(transport: Transport): Holdpoint {
  const next = connect({ transport, session: SESSION, timing: HURRY });
  onTestFinished(() => next.close());
  return next;
}

async function answerOpen(world: ReturnType<typeof pair>, answer: JsonObject) {
  const { interactionId } = await world.onlyOpen();
  await world.person.answer(SESSION, interactionId, answer);
}

describe('a deferred call', () => {
  it('[ADP-3] stays open without a deadline, and the resumed run finds the answer', async () => {
    const world = pair();
    const first = runOf(world.agent, HASTY);
    expect(await first.preToolUse()).toMatchObject({ decision: 'defer', amongOthers: 'ask' });
    const asked = await world.onlyOpen();
    expect(asked).toMatchObject({ toolCallId: 'toolu_1', timeoutMs: null });
    const resumed = runOf(nextProcess(world.agentTransport), HASTY);
    expect(await resumed.preToolUse()).toMatchObject({ decision: 'defer' });
    expect((await world.onlyOpen()).interactionId).toBe(asked.interactionId);
    await answerOpen(world, { decision: 'approve' });
    const again = runOf(nextProcess(world.agentTransport), HASTY);
    const found = { decision: 'allow', updatedInput: BASH, amongOthers: undefined };
    expect(await again.preToolUse()).toMatchObject(found);
    expect(await again.afterwards()).toBeUndefined();
    expect(await world.open(0)).toEqual([]);
  });

  it('[ADP-3] is not deferred if a person decides in time', async () => {
    const world = pair();
    const run = runOf(world.agent, PATIENT);
    const decided = run.preToolUse();
    await answerOpen(world, { decision: 'deny', reason: 'use vitest' });
    expect(await decided).toMatchObject({
      decision: 'deny',
      reason: 'User denied tool execution. Reason: use vitest',
      amongOthers: undefined,
    });
  });

  it('[ADP-3] of a rule or a mode asks no person', async () => {
    const world = pair();
    await world.person.createSession({ id: SESSION });
    await world.person.setMode(SESSION, 'bypassPermissions');
    const run = runOf(world.agent, HASTY);
    expect(await run.preToolUse()).toMatchObject({ decision: 'allow', updatedInput: BASH });
    expect(await world.open(0)).toEqual([]);
  });

  it.each(['cancelled', 'expired'])(
    '[ADP-3] that is %s is denied, and asked no more',
    async (end) => {
      const world = pair();
      const run = runOf(world.agent, HASTY, end === 'expired' ? { timeoutSeconds: 1 } : {});
      await run.preToolUse();
      const { interactionId } = await world.onlyOpen();
      if (end === 'cancelled') await world.person.cancel(SESSION, interactionId);
      await world.open(0);
      const resumed = runOf(nextProcess(world.agentTransport), HASTY);
      const { decision, reason } = await resumed.preToolUse();
      expect(decision).toBe('deny');
      expect(reason).toMatch(end === 'cancelled' ? /cancelled/ : /timed out|expired/);
      expect(await world.open(0)).toEqual([]);
    },
  );

  it('[ADP-3, INT-5] of several in one message waits in `canUseTool`, in the same question', async () => {
    const world = pair();
    const run = runOf(world.agent, HASTY);
    await run.preToolUse();
    const asked = await world.onlyOpen();
    const waiting = run.canUseTool('Bash', BASH, { toolUseID: 'toolu_1', title: 'Run it?' });
    await vi.waitFor(async () => {
      const record = await world.person.interaction(SESSION, asked.interactionId);
      expect(record).toMatchObject({ agentWaiting: true });
    }, 30_000);
    await answerOpen(world, { decision: 'approve', updatedInput: EDITED });
    expect(await waiting).toMatchObject({ behavior: 'allow', updatedInput: EDITED });
    const { outcome } = await world.person.interaction(SESSION, asked.interactionId);
    expect(outcome).toBe('approved');
    expect(await run.afterwards()).toMatchObject({ hookEventName: 'PostToolUse' });
  });

  it('[ADP-3] of a subagent, whose run cannot be resumed, asks in `canUseTool`', async () => {
    const world = pair();
    const run = runOf(world.agent, HASTY);
    const decided = await run.preToolUse({ agent_id: 'agent-7' });
    expect(decided).toMatchObject({ decision: 'ask' });
  });

  it('[ADP-3] that asks questions or shows a plan leaves the answer to `canUseTool`', async () => {
    const world = pair();
    const run = runOf(world.agent, HASTY);
    const question = { tool_name: 'AskUserQuestion', tool_input: QUESTIONS };
    expect(await run.preToolUse(question)).toMatchObject({ decision: 'defer' });
    await answerOpen(world, { answers: { 0: 'Y' } });
    expect(await run.preToolUse(question)).toEqual({
      decision: undefined,
      amongOthers: undefined,
    });
    const answered = await run.canUseTool('AskUserQuestion', QUESTIONS, { toolUseID: 'toolu_1' });
    expect(answered).toMatchObject({
      behavior: 'allow',
      updatedInput: { answers: { 'Which?': '["Y"]' } },
    });
    const plan = {
      tool_name: 'ExitPlanMode',
      tool_input: { plan: '1. Look' },
      tool_use_id: 'toolu_2',
    };
    expect(await run.preToolUse(plan)).toMatchObject({ decision: 'defer' });
    await answerOpen(world, { decision: 'adjust', feedback: 'Look twice' });
    expect(await run.preToolUse(plan)).toMatchObject({ decision: 'deny' });
  });

  it('[ADP-3, STR-2] is reported to the host once, as asked and as resolved', async () => {
    const world = pair();
    const events: TurnEvent[] = [];
    const onEvent = (event: TurnEvent) => void events.push(event);
    const run = runOf(world.agent, PATIENT, { onEvent });
    const decided = run.preToolUse();
    await answerOpen(world, { decision: 'approve' });
    await decided;
    expect(events.map(({ type }) => type)).toEqual(['approval_required', 'interaction_resolved']);
  });
});

describe('a call that cannot be asked about', () => {
  const denied = (world: ReturnType<typeof pair>, changes: Partial<Transport>) => {
    const causes: unknown[] = [];
    const onDenied = (_tool: string, cause: unknown) => void causes.push(cause);
    const transport = altered(world.agentTransport, changes);
    const run = runOf(nextProcess(transport), HASTY, { giveUpAfterSeconds: 0.03, onDenied });
    return { run, causes };
  };

  it('[ADP-3, GATE-4] is denied, not deferred, while the server is out of reach', async () => {
    const { run, causes } = denied(pair(), { open: () => Promise.reject(UNREACHABLE) });
    const { decision, reason, amongOthers } = await run.preToolUse();
    expect({ decision, amongOthers }).toEqual({ decision: 'deny', amongOthers: undefined });
    expect(reason).toContain('Nobody could be asked');
    expect(causes).toEqual([UNREACHABLE]);
  });

  it('[ADP-3, GATE-4] is denied if the record is about another input', async () => {
    const world = pair();
    await runOf(world.agent, HASTY).preToolUse();
    await answerOpen(world, { decision: 'approve' });
    const { run, causes } = denied(world, {
      async open(...ask) {
        const opened = await world.agentTransport.open(...ask);
        if (opened.type !== 'interaction') throw new Error('A person decides');
        const { interaction } = opened;
        return {
          ...opened,
          interaction: { ...interaction, updatedInput: { command: 'rm -rf /' } },
        };
      },
    });
    expect(await run.preToolUse()).toMatchObject({ decision: 'deny' });
    expect(causes).toMatchObject([{ code: 'input_changed' }]);
  });

  it.each([
    ['without an id', { tool_use_id: undefined }],
    ['without a name', { tool_name: undefined }],
    ['whose input is no object', { tool_input: 'rm -rf /' }],
    ['with questions of no form', { tool_name: 'AskUserQuestion', tool_input: { questions: 7 } }],
  ])('[ADP-3, GATE-4] is denied %s', async (_case, call) => {
    const world = pair();
    const decided = await runOf(world.agent, HASTY).preToolUse(call as Call);
    expect(decided).toMatchObject({ decision: 'deny', amongOthers: undefined });
  });

  it('[ADP-3] is deferred if the server goes away once a person is asked', async () => {
    const world = pair();
    const transport = altered(world.agentTransport, {
      interaction: () => Promise.reject(UNREACHABLE),
    });
    const run = runOf(nextProcess(transport), { afterSeconds: 0.05 });
    expect(await run.preToolUse()).toMatchObject({ decision: 'defer' });
    await world.onlyOpen();
  });

  it('[ADP-3, GATE-4] is denied if its session is deleted while it waits', async () => {
    const world = pair();
    const gone = new ClientError({ code: 'not_found', message: 'No such session', retry: 'never' });
    const { run } = denied(world, {});
    const transport = altered(world.agentTransport, { interaction: () => Promise.reject(gone) });
    const waiting = runOf(nextProcess(transport), PATIENT, { onDenied: () => undefined });
    expect(await waiting.preToolUse()).toMatchObject({ decision: 'deny', amongOthers: undefined });
    expect(await run.preToolUse()).toMatchObject({ decision: 'defer' });
  });

  it('[ADP-3, CAN-4] is denied and taken back when the run is aborted', async () => {
    const world = pair();
    const abort = new AbortController();
    const decided = runOf(world.agent, PATIENT).preToolUse({}, abort.signal);
    const { interactionId } = await world.onlyOpen();
    abort.abort();
    expect(await decided).toMatchObject({ decision: 'deny' });
    const { outcome } = await world.person.interaction(SESSION, interactionId);
    expect(outcome).toBe('cancelled');
  });

  it('[ADP-3] blocks where the hook itself fails, and has time for its own limits', () => {
    const { before } = runOf(pair().agent, { afterSeconds: 60 }, { giveUpAfterSeconds: 600 });
    expect(before).toMatchObject({ onFailure: 'block' });
    expect(before?.timeout).toBeGreaterThan(2 * 60 + 600);
    const forever = runOf(pair().agent, HASTY, { giveUpAfterSeconds: Number.POSITIVE_INFINITY });
    expect(Number.isInteger(forever.before?.timeout)).toBe(true);
  });
});

describe('an edit', () => {
  it('[ADP-3] is described to the model after the tool, once', async () => {
    const world = pair();
    const { canUseTool, hooks } = claude(world.agent);
    const asked = canUseTool('Bash', BASH, { toolUseID: 'toolu_1' });
    await answerOpen(world, { decision: 'approve', updatedInput: EDITED });
    expect(await asked).toMatchObject({ updatedInput: EDITED });
    const after = async (event: 'PostToolUse' | 'PostToolUseFailure', id: string) => {
      const { signal } = new AbortController();
      const input = { hook_event_name: event, tool_use_id: id };
      return hooks[event][0]?.hooks[0]?.(input, id, { signal });
    };
    expect(await after('PostToolUse', 'toolu_2')).toEqual({});
    const told = await after('PostToolUseFailure', 'toolu_1');
    expect(told?.hookSpecificOutput).toMatchObject({
      hookEventName: 'PostToolUseFailure',
      additionalContext: expect.stringMatching(/command[^]*npm test[^]*npm run test:node/),
    });
    expect(await after('PostToolUse', 'toolu_1')).toEqual({});
  });

  it('[ADP-3] of a deferred call runs, and is asked about no more where a rule asks each time', async () => {
    const world = pair();
    await runOf(world.agent, HASTY).preToolUse();
    await answerOpen(world, { decision: 'approve', updatedInput: EDITED });
    const resumed = runOf(nextProcess(world.agentTransport), HASTY);
    expect(await resumed.preToolUse()).toMatchObject({ decision: 'allow', updatedInput: EDITED });
    const sameCall = { toolUseID: 'toolu_1' };
    expect(await resumed.canUseTool('Bash', EDITED, sameCall)).toMatchObject({
      behavior: 'allow',
      updatedInput: EDITED,
    });
    expect(await resumed.afterwards()).toMatchObject({
      additionalContext: expect.stringContaining('npm run test:node'),
    });
    // Only of this call, of this tool and with this input; later none of it counts.
    expect(await world.open(0)).toEqual([]);
    const later = resumed.canUseTool('Bash', EDITED, sameCall);
    await answerOpen(world, { decision: 'deny' });
    expect(await later).toMatchObject({ behavior: 'deny' });
  });

  it.each([
    ['call', 'Bash', EDITED, 'toolu_2'],
    ['call without an id', 'Bash', EDITED, undefined],
    ['tool', 'Shell', EDITED, 'toolu_1'],
    ['input', 'Bash', { command: 'rm -rf /' }, 'toolu_1'],
  ])('[ADP-3, GATE-4] is good for no other %s', async (_what, tool, input, toolUseID) => {
    const world = pair();
    const run = claude(world.agent, { hooks: {} });
    for (const id of ['toolu_1', undefined]) {
      const asked = run.canUseTool('Bash', BASH, { toolUseID: id });
      await answerOpen(world, { decision: 'approve', updatedInput: EDITED });
      await asked;
    }
    const other = run.canUseTool(tool, input, { toolUseID });
    await answerOpen(world, { decision: 'deny' });
    expect(await other).toMatchObject({ behavior: 'deny' });
  });
});

describe('hooks of the host', () => {
  it('[ADP-3] are added to, and never replaced', () => {
    const { agent } = pair();
    const own = { PreToolUse: [{ hooks: [] }], SessionEnd: [{ hooks: [] }] };
    const { hooks } = claude(agent, { hooks: own, defer: true });
    expect(hooks.PreToolUse).toHaveLength(2);
    expect(hooks.PreToolUse[0]).toBe(own.PreToolUse[0]);
    expect(hooks.SessionEnd).toEqual(own.SessionEnd);
    expect(own.PreToolUse).toHaveLength(1);
    expect(Object.keys(claude(agent, { hooks: own }).hooks)).toEqual([
      'PreToolUse',
      'SessionEnd',
      'PostToolUse',
      'PostToolUseFailure',
    ]);
  });

  it('[ADP-3] stay where the bridge is told to have none', () => {
    expect(claude(pair().agent, { hooks: false })).not.toHaveProperty('hooks');
    expect(Object.keys(claude(pair().agent, { defer: false }).hooks)).toEqual([
      'PostToolUse',
      'PostToolUseFailure',
    ]);
  });
});
