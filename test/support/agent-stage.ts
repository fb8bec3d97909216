/**
 * A turn in which anything happens in any order, for fast-check: steps as data, a stage that applies them, and the
 * invariants after each step. The file is long because each kind of step stands beside the invariants that it must keep.
 */
import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { isOpenedByAgent } from '../../src/agent/run/gate-tool-call.ts';
import { Conversation } from '../../src/agent/conversation.ts';
import type { ModelOutcome } from '../../src/agent/model.ts';
import type { Run } from '../../src/agent/run/run.ts';
import { findOpenConversationProblem } from '../../src/agent/validate-conversation.ts';
import type { Caller } from '../../src/protocol/caller.ts';
import type { AgentTool } from '../../src/protocol/schema/agent-settings.ts';
import type { AppendedEvent } from '../../src/protocol/schema/event.ts';
import { AgentWorld } from './agent-world.ts';
import { admin, agent as program, person } from './callers.ts';
import { answered, fails, textOutcome } from './scripted-model.ts';
import { SqliteStorage } from './session-storage.ts';

const common = { description: 'A tool.', inputSchema: { type: 'object' } } as const;
const http = { ...common, type: 'http', url: 'http://127.0.0.1:1/', timeoutSeconds: 30 } as const;
const tools: AgentTool[] = [
  { ...http, name: 'Once', class: 'execute', idempotent: false },
  { ...http, name: 'Often', class: 'read', idempotent: true },
  {
    ...common,
    type: 'client',
    name: 'There',
    class: 'edit',
    idempotent: false,
    timeoutSeconds: 60,
  },
];
const question = { header: 'A', question: 'Which?', options: [{ label: 'X' }, { label: 'Y' }] };
const INPUTS = {
  Once: { to: 'ada' },
  Often: {},
  There: {},
  Write: { path: 'plans/a.md', content: 'Text' },
  Read: { path: 'plans/a.md' },
  AskUserQuestion: { questions: [question] },
  ExitPlanMode: { plan: 'First this, then that.' },
  Unknown: {},
};

const toolName = fc.constantFrom(...(Object.keys(INPUTS) as (keyof typeof INPUTS)[]));
const modelBehavior = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant('calls'),
      names: fc.array(toolName, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ is: fc.constantFrom('says', 'fails', 'refuses', 'pauses') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constantFrom(
        'gives up',
        'is too long',
        'is cut off',
        'pauses in a call',
        'repeats an id',
      ),
    }),
  },
);
export const agentStep = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('model'), modelBehavior, fills: fc.boolean() }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('answer'), pick: fc.nat(5), how: fc.nat(4) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('say', 'tool', 'tool', 'client') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('restart', 'evict', 'disk') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pass'),
      ms: fc.constantFrom(1, 5_000, 61_000, 700_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('interrupt', 'clear', 'retry', 'cancel', 'restore'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('a tool asks', 'its maker asks', 'a program ends the turn'),
      pick: fc.nat(5),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('a program has the result', 'take back', 'client fails'),
      pick: fc.nat(5),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('mode'),
      mode: fc.constantFrom('default', 'acceptEdits', 'plan', 'bypassPermissions'),
    }),
  },
);
/** Of the model, in tokens. */
const WINDOW = 4_000;
type Step = typeof agentStep extends fc.Arbitrary<infer T> ? T : never;
type ModelBehavior = typeof modelBehavior extends fc.Arbitrary<infer T> ? T : never;

const DECISIONS: Record<string, readonly Record<string, unknown>[]> = {
  approval: [
    { decision: 'approve' },
    { decision: 'approve' },
    { decision: 'deny', reason: 'No' },
    { decision: 'approve', offer: 'session', everyCommand: true },
    { decision: 'approve', updatedInput: { to: 'bob', path: 'b.md', content: 'Else' } },
  ],
  question: [{ answers: { '0': 'X' } }, { answers: { '0': 'Other' } }, { decline: true }],
  plan_review: [
    { decision: 'edit' },
    { decision: 'clean_edit' },
    { decision: 'default' },
    { decision: 'adjust', feedback: 'Shorter' },
  ],
};

export class AgentStage {
  readonly world = new AgentWorld(new SqliteStorage(), {
    settings: { tools, contextTokens: WINDOW },
    mode: 'plan',
  });
  #ids = 0;

  /** After some answers the conversation nears the end of the window: the next one is asked for a summary. */
  #sized({ modelBehavior, fills }: Extract<Step, { modelBehavior: unknown }>): ModelOutcome {
    const outcome = this.outcomeOf(modelBehavior);
    if (!fills || outcome.type !== 'answered') return outcome;
    return { ...outcome, usage: { ...outcome.usage, inputTokens: WINDOW - 1 } };
  }

  outcomeOf(behavior: ModelBehavior): ModelOutcome {
    switch (behavior.is) {
      case 'calls': {
        const names = 'names' in behavior ? behavior.names : [];
        return answered(
          names.map((name) => this.use(name)),
          'tool_use',
        );
      }
      case 'fails':
        return fails();
      case 'gives up':
        return fails({ retry: 'never' });
      case 'is too long':
        return fails({ retry: 'never', reason: 'too_long' });
      case 'refuses':
        return answered([], 'refusal');
      case 'pauses':
        return answered([{ type: 'text', text: 'Hm…' }], 'pause_turn');
      case 'is cut off':
        return answered([this.use('Once')], 'max_tokens');
      case 'pauses in a call':
        return answered([this.use('Once')], 'pause_turn');
      case 'repeats an id':
        return answered([{ ...this.use('Often'), id: 'toolu_1' }], 'tool_use');
      default:
        return textOutcome('Well.');
    }
  }

  use(name: keyof typeof INPUTS) {
    this.#ids += 1;
    return { type: 'tool_use', id: `toolu_${this.#ids}`, name, input: INPUTS[name] } as const;
  }

  async takeStep(step: Step): Promise<void> {
    const { world } = this;
    switch (step.do) {
      case 'model':
        if ('modelBehavior' in step) world.model.will(this.#sized(step));
        break;
      case 'say':
        world.handle({ type: 'message.send', text: 'Go on' }, { caller: person() });
        break;
      case 'answer':
        if ('pick' in step) this.answer(step.pick, step.how);
        break;
      case 'tool':
        if (world.tools.isWaitedFor) world.tools.answer('Done');
        break;
      case 'client': {
        const waits = this.run?.calls.find(
          ({ until, status }) => until !== undefined && status === 'started',
        );
        const toolCallId = waits?.toolCallId ?? 'toolu_1';
        world.handle(
          { type: 'tool.result', toolCallId, output: 'Here', isError: false },
          { caller: program() },
        );
        break;
      }
      case 'client fails':
        for (const { toolCallId } of this.run?.calls ?? []) {
          const result = { type: 'tool.result', toolCallId, output: '', isError: true } as const;
          world.handle(result, { caller: program() });
        }
        break;
      case 'a tool asks':
        if ('pick' in step) this.ask(step.pick, program());
        break;
      case 'its maker asks':
        if ('pick' in step) this.ask(step.pick, admin());
        break;
      case 'a program ends the turn':
        this.append({ type: 'turn_ended', payload: { reason: 'completed' } });
        break;
      case 'a program has the result':
        if ('pick' in step) {
          const toolCallId = this.callId(step.pick);
          this.append({ type: 'tool_result', toolCallId, payload: { output: 'Mine' } });
        }
        break;
      case 'take back': {
        const messageId = world.state?.info.queued.at(-1)?.id ?? '';
        world.handle({ type: 'message.remove', messageId }, { caller: person() });
        break;
      }
      case 'restart':
        world.restart();
        break;
      case 'evict':
        if (world.later.size === 0 && !world.model.isWaitedFor && !world.tools.isWaitedFor)
          world.evict();
        break;
      case 'disk': {
        let left = 1;
        world.beforeCommit = () => {
          if ((left -= 1) >= 0) throw new Error('disk');
        };
        break;
      }
      case 'pass':
        if ('ms' in step) await world.pass(step.ms);
        break;
      case 'interrupt':
        world.handle({ type: 'turn.interrupt' });
        break;
      case 'clear':
        world.handle({ type: 'session.clear' });
        break;
      case 'retry':
        world.handle({ type: 'turn.retry' });
        break;
      case 'restore': {
        world.handle({ type: 'turn.interrupt' });
        const seq = world.state?.info.compaction?.summaries.at(-1) ?? 1;
        world.handle({ type: 'conversation.restore', seq }, { caller: person() });
        break;
      }
      case 'cancel':
        world.handle({ type: 'interactions.cancel' });
        break;
      case 'mode':
        if ('mode' in step) {
          const permissionMode = step.mode as 'plan';
          world.handle({ type: 'session.update', changes: { permissionMode } });
        }
        break;
    }
    await world.quiet();
  }

  callId(pick: number): string {
    const calls = this.run?.calls ?? [];
    return calls[pick % Math.max(1, calls.length)]?.toolCallId ?? 'mine_1';
  }

  /** A program that runs a tool knows its call and turn, and may ask on their behalf. */
  ask(pick: number, caller: Caller): void {
    const toolCallId = this.callId(pick);
    const { turnId } = this.world.state?.info.turn ?? {};
    const common = { kind: 'question', toolCallId, toolName: 'Once', ...(turnId && { turnId }) };
    const request = { questions: [question] };
    this.world.handle({ type: 'interaction.open', common, request }, { caller });
  }

  append(event: AppendedEvent): void {
    this.world.handle({ type: 'events.append', events: [event] }, { caller: program() });
  }

  answer(pick: number, how: number): void {
    const open = [...(this.world.state?.open.values() ?? [])];
    const interaction = open[pick % Math.max(1, open.length)];
    const given = DECISIONS[interaction?.kind ?? ''];
    if (interaction === undefined || given === undefined) return;
    this.world.handle({
      type: 'interaction.answer',
      target: { interactionId: interaction.interactionId },
      answer: given[how % given.length] as never,
    });
  }

  get run(): Run | null {
    return this.world.store.load()?.run ?? null;
  }

  check(): void {
    const { world, run } = this;
    const state = world.state;
    assert.deepEqual(world.model.problems, []);
    assert.deepEqual(world.session.current(), world.folded());
    const conversation = new Conversation(world.store.conversation()).messages;
    if (conversation.length > 0) assert.equal(findOpenConversationProblem(conversation), undefined);
    const isActive = run !== null && run.status !== 'failed';
    assert.equal(isActive ? run.turnId : undefined, state?.info.turn?.turnId);
    const asking = (isActive ? run.calls : []).filter(
      ({ status }) => status === 'asking' || status === 'unknown',
    );
    const open = [...(state?.open.values() ?? [])];
    const agents = open.filter(
      (interaction) =>
        isOpenedByAgent(interaction) || idsOf(asking).includes(interaction.toolCallId),
    );
    assert.deepEqual(idsOf(asking), idsOf(agents));
    // Other agents may ask on behalf of a turn, but not after its end.
    for (const { turnId } of open) {
      if (turnId !== undefined) assert.equal(turnId, state?.info.turn?.turnId);
    }
    if (open.length === 0 && state?.info.turn === null) assert.deepEqual(state.info.queued, []);
    if (isActive) this.#waitsForSomething(run);
    this.#ranAsAllowed();
    this.#endsWithResults();
  }

  /** An ended turn has a result for each of its calls, and gets no further results. */
  #endsWithResults(): void {
    const left = new Map<string, string>();
    const over = new Set<string>();
    for (const { type, turnId = '', toolCallId = '' } of this.world.log()) {
      if (type === 'tool_call') left.set(toolCallId, turnId);
      if (type === 'tool_result') {
        assert.ok(!over.has(turnId), `${toolCallId} has a result after the end of ${turnId}`);
        left.delete(toolCallId);
      }
      if (type !== 'turn_ended') continue;
      over.add(turnId);
      assert.deepEqual(
        [...left.values()].filter((id) => id === turnId),
        [],
      );
    }
  }

  #waitsForSomething(run: Run): void {
    const { world } = this;
    if (run.status === 'model') {
      assert.ok(world.model.isWaitedFor || world.alarm.armedAt !== null);
      return;
    }
    assert.ok(run.calls.some(({ status }) => status !== 'done'));
    const isAtWork = run.calls.some(
      ({ status, until }) => status === 'claimed' || (status === 'started' && until === undefined),
    );
    if (isAtWork) assert.ok(world.tools.isWaitedFor || world.alarm.armedAt !== null);
  }

  /** A call is sent at most once for each time that a person, a rule or the mode allowed it. */
  #ranAsAllowed(): void {
    const { world } = this;
    const sent = new Map<string, number>();
    for (const { toolName: name, toolCallId } of world.tools.calls) {
      if (name === 'Once') sent.set(toolCallId, (sent.get(toolCallId) ?? 0) + 1);
    }
    for (const [toolCallId, times] of sent) {
      const byGate = world
        .ofType('tool_call')
        .filter(
          (event) => event.toolCallId === toolCallId && event.payload.decided?.behavior === 'allow',
        ).length;
      const byPerson = world
        .ofType('interaction_response')
        .filter(
          (event) => event.toolCallId === toolCallId && event.payload.outcome === 'approved',
        ).length;
      assert.ok(times <= byGate + byPerson, `${toolCallId} ran ${times} times`);
    }
  }
}

function idsOf(many: readonly { readonly toolCallId: string }[]): string[] {
  return many.map(({ toolCallId }) => toolCallId).sort();
}
