/** Events as a client gets them: by hand for one rule, or from a core that was really driven. */
import * as fc from 'fast-check';
import { viewSession, listOpenInteractions, type SessionState } from '../../src/core/state.ts';
import type {
  DraftEvent,
  EventOf,
  EventType,
  SessionEvent,
} from '../../src/protocol/schema/event.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import type { Correlate, HistoryEntry, Interaction, Snapshot } from '../../src/protocol/types.ts';
import { arbitrarySteps, takeStep } from '../support/arbitrary-steps.ts';
import { CoreWorld } from '../support/core-world.ts';

export const AT = 1_800_000_000_000;

export type Names = Partial<Record<'turnId' | 'responseId' | 'toolCallId', string>>;

/** With `seq` 1, 2, 3 and a second between one and the next. */
export function logOf(...drafts: readonly DraftEvent[]): SessionEvent[] {
  return drafts.map((draft, n) => ({ ...draft, seq: n + 1, at: AT + n * 1_000 }));
}

export function event<T extends EventType>(
  type: T,
  names: Names,
  payload: EventOf<T>['payload'],
): DraftEvent {
  return { type, ...names, payload } as unknown as DraftEvent;
}

export const text = (words: string, names: Names = {}) =>
  event('assistant_text', names, { text: words });
export const says = (words: string, names: Names = {}) =>
  event('user_message', names, { text: words, subject: 'mia' });
export const begins = (turnId?: string) =>
  event('turn_started', turnId === undefined ? {} : { turnId }, {});
export const ends = (turnId?: string) =>
  event('turn_ended', turnId === undefined ? {} : { turnId }, { reason: 'completed' });
export const calls = (toolCallId: string, names: Names = {}, input: JsonObject = { n: 1 }) =>
  event('tool_call', { ...names, toolCallId }, { toolName: 'Bash', input });
export const results = (toolCallId: string, isError = false, names: Names = {}) =>
  event('tool_result', { ...names, toolCallId }, { output: 'out', isError });

export const QUESTIONS = [
  { header: 'Color', question: 'Which?', options: [{ label: 'Red' }, { label: 'Blue' }] },
];
const REQUESTS: Readonly<Record<string, JsonObject>> = {
  approval: { input: { command: 'ls' } },
  question: { questions: QUESTIONS },
  plan_review: { plan: '1. Leap' },
  form: { schema: { type: 'object', properties: {} } },
};

interface Asked {
  readonly step?: number;
  readonly kind?: string;
  readonly names?: Names;
  readonly replaces?: string;
  readonly detached?: boolean;
  readonly toolName?: string;
  readonly correlate?: Correlate;
}

function aboutOf(toolCallId: string, { step = 1, kind = 'approval', names = {}, ...asked }: Asked) {
  const { toolName = kind === 'question' ? 'AskUserQuestion' : 'Bash' } = asked;
  const presentation = kind === 'question' || kind === 'form' ? 'questionnaire' : 'tool';
  const about = { interactionId: `${toolCallId}~${step}`, toolCallId, toolName };
  return { about, kind, presentation, at: { ...names, toolCallId } } as const;
}

export function waits(toolCallId: string, pending: boolean, asked: Asked = {}): DraftEvent {
  const { about, presentation, at } = aboutOf(toolCallId, asked);
  return event('interaction_pending', at, { ...about, presentation, pending });
}

/** The request alone, as imported history has it. */
export function asks(toolCallId: string, asked: Asked = {}): DraftEvent {
  const { about, kind, presentation, at } = aboutOf(toolCallId, asked);
  return event('interaction_request', at, {
    ...about,
    kind,
    presentation,
    request: REQUESTS[kind] ?? {},
    requestDigest: 'r',
    inputDigest: 'i',
    openedAt: AT + (asked.step ?? 1),
    openedBy: { credential: 'key', subject: 'agent' },
    expiresAt: null,
    timeoutMs: null,
    onExpire: 'deny',
    ...(asked.replaces !== undefined && { replaces: asked.replaces }),
    ...(asked.detached === true && { detached: true }),
    ...(asked.correlate !== undefined && { correlate: asked.correlate }),
  });
}

type Outcome = EventOf<'interaction_response'>['payload']['outcome'];
const ACTIONS = {
  approved: 'approve',
  denied: 'deny',
  answered: 'submit',
  cancelled: 'cancel',
  expired: 'cancel',
  superseded: 'cancel',
} as const;

/** The response alone. */
export function settles(toolCallId: string, outcome: Outcome, asked: Asked = {}): DraftEvent {
  const { about, kind, at } = aboutOf(toolCallId, asked);
  return event('interaction_response', at, {
    ...about,
    kind,
    action: ACTIONS[outcome],
    outcome,
    settledBy: { subject: 'mia', via: 'web' },
    settledAt: AT + 60_000,
    inputDigest: 'i',
  });
}

/** As the session logs them: the request with pending, and the response with the end of pending. */
export const opens = (toolCallId: string, asked: Asked = {}) => [
  waits(toolCallId, true, asked),
  asks(toolCallId, asked),
];
export const closes = (toolCallId: string, outcome: Outcome, asked: Asked = {}) => [
  settles(toolCallId, outcome, asked),
  waits(toolCallId, false, asked),
];
export const reprompts = (toolCallId: string, step: number, asked: Asked = {}) => [
  settles(toolCallId, 'superseded', { ...asked, step: step - 1 }),
  waits(toolCallId, true, { ...asked, step }),
  asks(toolCallId, { ...asked, step, replaces: `${toolCallId}~${step - 1}` }),
];

/** A session driven by commands: its log, and the snapshot of the server after each event. */
export interface Driven {
  readonly log: readonly SessionEvent[];
  /** After each command, oldest first. */
  readonly snapshots: readonly Snapshot[];
  /** Every interaction there was, as the server has it in the end. */
  readonly records: ReadonlyMap<string, Interaction>;
}

function snapshotOf(state: SessionState, now: number): Snapshot {
  return { session: viewSession(state), head: state.head, open: listOpenInteractions(state), now };
}

const names = fc.record(
  {
    turnId: fc.constantFrom('turn-1', 'turn-2', 'turn-5'),
    responseId: fc.constantFrom('r1', 'r2', 'r3'),
  },
  { requiredKeys: [] },
);
const call = fc.constantFrom('call-0', 'call-1', 'call-2', 'call-3', 'call-4');
/** Random events of an agent: half of them are consistent. */
const told = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(call, names).map(([id, at]) => calls(id, at)) },
  {
    weight: 3,
    arbitrary: fc.tuple(call, fc.boolean(), names).map(([id, bad, at]) => results(id, bad, at)),
  },
  { weight: 3, arbitrary: names.map((at) => text('Words', at)) },
  {
    weight: 1,
    arbitrary: fc.tuple(call, names).map(([id, at]) => text('W', { ...at, toolCallId: id })),
  },
  { weight: 1, arbitrary: names.map((at) => event('thinking', at, { text: 'Hm' })) },
  { weight: 1, arbitrary: names.map((at) => event('error', at, { message: 'No' })) },
  { weight: 2, arbitrary: names.map(({ turnId }) => begins(turnId)) },
  { weight: 2, arbitrary: names.map(({ turnId }) => ends(turnId)) },
);

export const arbitraryDriven: fc.Arbitrary<Driven> = fc
  .tuple(arbitrarySteps, fc.array(fc.array(told, { maxLength: 3 }), { maxLength: 20 }))
  .map(([steps, tellings]) => {
    const world = new CoreWorld();
    const snapshots: Snapshot[] = [];
    const look = () => {
      if (world.state !== null) snapshots.push(snapshotOf(world.state, world.now));
    };
    world.run({ type: 'session.create' });
    look();
    for (const [n, step] of steps.entries()) {
      const { command, caller } = takeStep(world, step);
      world.run(command, { caller });
      look();
      const events = tellings[n] ?? [];
      if (events.length === 0) continue;
      world.run({ type: 'events.append', events } as Parameters<CoreWorld['run']>[0]);
      look();
    }
    return { log: world.log, snapshots, records: world.records };
  });

/** As history from elsewhere may be: the same events in any order, some missing, none inferable. */
export const arbitraryImported: fc.Arbitrary<readonly SessionEvent[]> = arbitraryDriven.chain(
  ({ log }) =>
    fc
      .shuffledSubarray([...log], { minLength: Math.floor(log.length / 2) })
      .map((events) => events.map((one, n) => ({ ...one, seq: n + 1, at: AT + n }))),
);

/** The log in pieces, each starting anywhere in the delivered part. */
export const arbitraryCuts = fc.array(fc.tuple(fc.nat(12), fc.nat(6)), { maxLength: 30 });

export function pieces(
  log: readonly SessionEvent[],
  cuts: readonly (readonly [size: number, overlap: number])[],
): SessionEvent[][] {
  const batches: SessionEvent[][] = [];
  let from = 0;
  for (const [size, overlap] of cuts) {
    batches.push(log.slice(Math.max(0, from - overlap), from + size));
    from += size;
  }
  return [...batches, log.slice(from), log.slice(0, from)];
}

const REPORTED = new Set([
  'turn_started',
  'turn_ended',
  'assistant_text',
  'thinking',
  'tool_call',
  'tool_result',
  'error',
]);

/** The transcript that the agent of a log wrote, by a clock of its own, with other ids for some calls. */
export const arbitraryTranscript = arbitraryDriven.chain(({ log, records }) =>
  fc
    .record({
      skew: fc.integer({ min: -5_000, max: 5_000 }),
      length: fc.double({ min: 0, max: 1, noNaN: true }),
      renamed: fc.subarray(['call-0', 'call-1', 'call-2', 'call-3', 'call-4']),
    })
    .map(({ skew, length, renamed }) => {
      const reported = log.filter(({ type }) => REPORTED.has(type));
      const history = reported.slice(0, Math.ceil(length * reported.length)).map((event, n) => {
        const { seq: _seq, toolCallId, payload, ...rest } = event;
        const { by: _by, ...kept } = payload as Record<string, unknown>;
        const id =
          toolCallId !== undefined && renamed.includes(toolCallId) ? `t-${toolCallId}` : toolCallId;
        return {
          ...rest,
          id: `line-${n}`,
          at: event.at + skew,
          payload: kept,
          ...(id !== undefined && { toolCallId: id }),
        } as HistoryEntry;
      });
      return { log, history, records };
    }),
);
