/**
 * Any command that a caller might send to a session, in any order, for fast-check.
 *
 * A step is plain data, so that a failing run prints as something to read; its target
 * interaction is chosen when the step runs, among those that exist then. Most steps come from their usual caller and
 * fit their target; some do not.
 */
import * as fc from 'fast-check';
import type { Caller } from '../../src/protocol/caller.ts';
import type { Command, CommandOf } from '../../src/protocol/schema/command.ts';
import type { AppendedEvent } from '../../src/protocol/schema/event.ts';
import type { Interaction } from '../../src/protocol/schema/interaction.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { nextDeadline } from '../../src/core/deadlines.ts';
import {
  answer,
  answerCall,
  append,
  askApproval,
  askForm,
  askLink,
  askPlan,
  askQuestion,
  COLOR,
  NOTE,
  PORT,
  sendMessage,
  SIZES,
} from './asks.ts';
import { admin, agent, person, reader, sender } from './callers.ts';
import { type CoreWorld, usualCaller } from './core-world.ts';

const CALLERS: Readonly<Record<string, Caller>> = {
  agent: agent(),
  stranger: agent('stranger'),
  ada: person(),
  bob: person('bob'),
  sender: sender(),
  reader: reader(),
  admin: admin(),
};

const ANSWERS: Readonly<Record<string, readonly JsonObject[]>> = {
  approval: [
    { decision: 'approve' },
    { decision: 'deny', reason: 'No' },
    { decision: 'approve', offer: 'session', everyCommand: true },
    { decision: 'approve', offer: 'session', exact: true },
    { decision: 'approve', updatedInput: { command: 'ls' } },
  ],
  question: [
    { answers: { '0': 'Red' } },
    { answers: { '0': 'Red', '1': ['S'] } },
    { question: 0, option: 1 },
    { question: 1, options: [0, 2] },
    { question: 0, text: 'Mauve' },
    { decline: true },
  ],
  plan_review: [
    { decision: 'edit' },
    { decision: 'clean_edit' },
    { decision: 'default' },
    { decision: 'adjust' },
    { decision: 'adjust', feedback: 'Smaller' },
  ],
  form: [{ values: { host: 'localhost' } }, { values: { note: 'x' } }, { decline: true }],
  link: [{ opened: true }, { opened: true }, { done: true }, { decline: true }],
};
const ALL_ANSWERS = [...Object.values(ANSWERS).flat(), {}, { answers: {} }];

const wait = fc.oneof(
  { weight: 24, arbitrary: fc.constantFrom(0, 0, 1, 1_000, 9_000) },
  { weight: 1, arbitrary: fc.constantFrom(300_000, 600_000) },
  { weight: 3, arbitrary: fc.constantFrom('to the deadline', 'to just before it') },
);

const ask = fc.record({
  do: fc.constant('ask' as const),
  call: fc.nat(2),
  kind: fc.constantFrom('approval', 'question', 'plan_review', 'form', 'link'),
  variant: fc.nat(2),
  common: fc.record(
    {
      timeoutSeconds: fc.constantFrom(1, 30, 30, null),
      remindAfter: fc.constantFrom(1, 20),
      escalateAfter: fc.constantFrom(1, 30),
      turnId: fc.constantFrom('turn-1', 'turn-2'),
      detached: fc.boolean(),
      reopen: fc.boolean(),
      errorSummary: fc.constant('Try again'),
    },
    { requiredKeys: [] },
  ),
  onExpire: fc.constantFrom('deny', 'deny', 'deny', 'deny', 'keep', 'keep', 'answer'),
  approvals: fc.option(fc.constantFrom(1, 2, 3), { freq: 2 }),
});

const batch = fc.record({
  do: fc.constant('ask together' as const),
  asks: fc.array(ask, { minLength: 1, maxLength: 4 }),
});

const give = fc.record({
  do: fc.constant('answer' as const),
  pick: fc.nat(11),
  given: fc.nat(5),
  fits: fc.constantFrom(true, true, true, true, true, true, false),
  byCall: fc.boolean(),
});

const text = fc.record({
  do: fc.constant('say' as const),
  text: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('yes', 'no', '1', 'Red', 'S, L', 'hello') },
    { weight: 1, arbitrary: fc.constantFrom('/clear', '/cancel') },
  ),
  replyTo: fc.option(fc.nat(11), { freq: 3 }),
});

const about = fc.record({
  do: fc.constantFrom('cancel one', 'extend', 'undo', 'undo', 'complete', 'complete', 'complete'),
  pick: fc.nat(11),
});

const withdraw = fc.record({ do: fc.constant('withdraw' as const), pick: fc.nat(11) });
const care = fc.record({
  do: fc.constantFrom('claim', 'claim', 'release', 'hand over', 'hand over'),
  pick: fc.nat(11),
  to: fc.constantFrom('ada', 'bob'),
});

const appendStep = fc.record({
  do: fc.constant('append' as const),
  events: fc.array(
    fc.record({
      type: fc.constantFrom(
        'tool_result',
        'turn_started',
        'turn_ended',
        'error',
        'assistant_text' as const,
      ),
      call: fc.nat(2),
      turnId: fc.constantFrom('turn-1', 'turn-2', undefined),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

const plain = fc.record({
  do: fc.constantFrom(
    'create',
    'run deadlines',
    'interrupt',
    'cancel all',
    'clear',
    'default',
    'acceptEdits',
    'plan',
    'bypassPermissions',
  ),
});
const cancelAll = fc.record({ do: fc.constant('cancel all' as const) });
const addRule = fc.record({ do: fc.constant('add rule' as const) });
const revoke = fc.record({ do: fc.constant('revoke' as const) });
const takeBack = fc.record({
  do: fc.constantFrom('take back', 'take back', 'retry', 'restore', 'give a result'),
});
const cli = fc.record({
  do: fc.constant('cli' as const),
  // An import is accepted only after a mapping of the same conversation.
  cliSessionId: fc.constantFrom('one', 'one', 'one', 'two'),
  entries: fc.option(fc.nat(9), { freq: 2 }),
});
const remove = fc.record({ do: fc.constant('delete' as const) });

const by = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(CALLERS)) },
);
const asking = fc.record({ wait: fc.constant(0), by: fc.constant(undefined), what: ask });
const step = fc.record({
  wait,
  by,
  what: fc.oneof(
    { weight: 35, arbitrary: ask },
    { weight: 6, arbitrary: batch },
    { weight: 35, arbitrary: give },
    { weight: 15, arbitrary: text },
    { weight: 15, arbitrary: about },
    { weight: 12, arbitrary: withdraw },
    { weight: 8, arbitrary: care },
    { weight: 8, arbitrary: appendStep },
    { weight: 10, arbitrary: plain },
    { weight: 5, arbitrary: cancelAll },
    { weight: 5, arbitrary: revoke },
    { weight: 3, arbitrary: addRule },
    { weight: 1, arbitrary: addRule },
    { weight: 5, arbitrary: takeBack },
    { weight: 14, arbitrary: cli },
    { weight: 1, arbitrary: remove },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type AppendedStep = Extract<Step['what'], { do: 'append' }>['events'][number];

type AskStep = typeof ask extends fc.Arbitrary<infer T> ? T : never;

/** Openings of one agent, some under the same call, and some in a later life of the agent. */
export const arbitraryOpenings = fc.array(
  fc.tuple(ask, fc.constantFrom(undefined, 'life-1', 'life-2', 'life-2')).map(([what, life]) => {
    const opening = askOf(what);
    const named = life === undefined ? {} : { agentInstance: life };
    return { ...opening, common: { ...opening.common, ...named } };
  }),
  { minLength: 1, maxLength: 8 },
);

/** Starts with an opening: without one the session would refuse most of the later steps. */
export const arbitrarySteps: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(asking, { minLength: 1, maxLength: 3 }),
    fc.array(step, { maxLength: 22, size: 'max' }),
  )
  .map(([first, others]) => [...first, ...others]);

/** Applies a step to the current state: moves the clock, and returns the command and its caller. */
export function takeStep(world: CoreWorld, step: Step): { command: Command; caller: Caller } {
  const deadline = nextDeadline(world.state) ?? world.now;
  if (typeof step.wait === 'number') world.now += step.wait;
  else world.now = Math.max(world.now, deadline - (step.wait === 'to the deadline' ? 0 : 1));
  const command = commandOf(world, step.what);
  const usual = usualCaller(command);
  return { command, caller: (step.by !== undefined && CALLERS[step.by]) || usual };
}

function commandOf(world: CoreWorld, what: Step['what']): Command {
  switch (what.do) {
    case 'cli': {
      const named = { provider: 'codex', cliSessionId: what.cliSessionId };
      const { entries } = what;
      if (entries === null) return { type: 'cli.map', cli: named };
      return { type: 'history.import', ...named, entries, rev: 1, digest: '' };
    }
    case 'take back': {
      const messageId = world.state?.info.queued.at(-1)?.id ?? 'none';
      return { type: 'message.remove', messageId };
    }
    case 'retry':
      return { type: 'turn.retry' };
    case 'restore':
      return { type: 'conversation.restore', seq: 1 };
    case 'give a result':
      return { type: 'tool.result', toolCallId: 'call-0', output: 'done', isError: false };
    case 'ask':
      return askOf(what);
    case 'ask together':
      return { type: 'interactions.open', openings: what.asks.map(askOf) };
    case 'answer': {
      const target = picked(world, what.pick);
      const pool = what.fits ? (ANSWERS[target?.kind ?? ''] ?? ALL_ANSWERS) : ALL_ANSWERS;
      const given = pool[what.given % pool.length] as JsonObject;
      return what.byCall && target !== undefined
        ? answerCall(target.toolCallId, given)
        : answer(target?.interactionId ?? 'call-9~1', given);
    }
    case 'say': {
      const target = what.replyTo === null ? undefined : picked(world, what.replyTo);
      return sendMessage(what.text, target?.interactionId);
    }
    case 'complete': {
      // Of the interactions in reach, one that waits for a completion if there is one.
      const waits = [...world.live.open.values()].find(({ request }) => request['awaitCompletion']);
      const interactionId = waits?.interactionId ?? picked(world, what.pick)?.interactionId;
      return { type: 'interaction.complete', interactionId: interactionId ?? 'call-9~1' };
    }
    case 'claim':
    case 'release':
    case 'hand over': {
      const interactionId = picked(world, what.pick)?.interactionId ?? 'call-9~1';
      if (what.do === 'hand over') {
        return { type: 'interaction.handover', interactionId, audience: { subjects: [what.to] } };
      }
      const type = 'interaction.claim';
      return { type, interactionId, ...(what.do === 'release' && { release: true }) };
    }
    case 'withdraw': {
      const voted = [...world.live.open.values()].find(({ votes = [] }) => votes.length > 0);
      const one = what.pick % 3 === 0 ? picked(world, what.pick) : voted;
      return { type: 'interaction.withdraw', interactionId: one?.interactionId ?? 'call-9~1' };
    }
    case 'undo': {
      // The latest that was decided, or any.
      const decided = [...world.records.values()].findLast(({ status }) => status === 'settled');
      const one = what.pick % 3 === 0 ? picked(world, what.pick) : decided;
      return { type: 'interaction.undo', interactionId: one?.interactionId ?? 'call-9~1' };
    }
    case 'cancel one':
    case 'extend': {
      const type = what.do === 'extend' ? 'interaction.extend' : 'interaction.cancel';
      return { type, interactionId: picked(world, what.pick)?.interactionId ?? 'call-9~1' };
    }
    case 'append':
      return append(...what.events.map(appended));
    case 'create':
      return { type: 'session.create' };
    case 'delete':
      return { type: 'session.delete' };
    case 'clear':
      return { type: 'session.clear' };
    case 'interrupt':
      return { type: 'turn.interrupt' };
    case 'cancel all':
      return { type: 'interactions.cancel' };
    case 'run deadlines':
      return { type: 'deadlines.run' };
    case 'add rule':
      return { type: 'rule.add', rule: { effect: 'deny', toolName: 'Read' } };
    case 'revoke':
      return { type: 'rule.revoke', ruleId: world.state?.rules[0]?.id ?? 'none' };
    case 'default':
    case 'acceptEdits':
    case 'plan':
    case 'bypassPermissions':
      return { type: 'session.update', changes: { permissionMode: what.do } };
  }
}

function appended(event: AppendedStep): AppendedEvent {
  const turn = event.turnId === undefined ? {} : { turnId: event.turnId };
  switch (event.type) {
    case 'tool_result':
      return { type: 'tool_result', toolCallId: `call-${event.call}`, payload: {} };
    case 'turn_started':
      return { type: 'turn_started', ...turn, payload: {} };
    case 'turn_ended':
      return { type: 'turn_ended', ...turn, payload: { reason: 'completed' } };
    case 'error':
      return { type: 'error', ...turn, payload: { message: 'Out of credit' } };
    case 'assistant_text':
      return { type: 'assistant_text', payload: { text: 'Working' } };
  }
}

function askOf(what: AskStep): CommandOf<'interaction.open'> {
  const { variant, onExpire, approvals } = what;
  const isVoted = what.kind === 'approval' || what.kind === 'plan_review';
  const declared = ANSWERS[what.kind]?.[variant % 2] as JsonObject;
  const { detached, reopen, timeoutSeconds, ...others } = what.common;
  const common = {
    ...withoutMissing({ detached, reopen, timeoutSeconds, ...others }),
    toolCallId: `call-${what.call}`,
    ...(approvals !== null && isVoted && { quorum: { approvals } }),
    ...(onExpire !== 'deny' && {
      onExpire: onExpire === 'keep' ? ('keep' as const) : { answer: declared },
    }),
  };
  switch (what.kind) {
    case 'approval': {
      const toolName = ['Bash', 'Read', 'Deploy'][variant] as string;
      const offers = ['once', 'session'];
      return askApproval({ ...common, toolName }, { offers, allowEdit: variant === 0 });
    }
    case 'question':
      return askQuestion(common, [[COLOR], [COLOR, SIZES], [COLOR, COLOR]][variant]);
    case 'plan_review':
      return askPlan(common, `Plan ${variant}`);
    case 'link':
      return askLink(common, { awaitCompletion: variant > 0 });
    default:
      return askForm(common, variant === 0 ? NOTE : PORT);
  }
}

/** Mostly an open interaction; sometimes a settled one, sometimes none. */
function picked(world: CoreWorld, pick: number): Interaction | undefined {
  const all = [...world.records.values()];
  const open = all.filter((record) => record.status === 'open');
  const pool = pick % 6 === 0 || open.length === 0 ? all : open;
  return pool[pick % Math.max(1, pool.length)];
}

function withoutMissing<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
