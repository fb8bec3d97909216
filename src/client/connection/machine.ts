/**
 * What a connection does next: a machine that receives each event with the time.
 *
 * It opens no socket, sets no timer and draws no lots; it says what it wants done. What must stay
 * true, whatever happens in whatever order:
 *
 * 1. Events are delivered in order of `seq`, each once. What would leave a gap is not delivered; the
 *    connection is given up instead, and the next one begins after the last delivered event.
 * 2. There is one connection at a time: nothing is connected that was not dropped or closed before.
 * 3. `closed` is the end. In every other phase something leads out of it: a time, or a named event.
 *
 * Every cell of state and event is in docs/client-connection.md, and is tested from there.
 */
import {
  askedPause,
  type ClientError,
  finalError,
  notHoldpoint,
  protocolMismatch,
} from '../errors.ts';
import type {
  ConnectionAction,
  ConnectionEvent,
  ConnectionState,
  Memory,
  Phase,
  Refusal,
  SessionStream,
  Step as StreamStep,
  Stream,
} from './state.ts';
import { backoff, type Timing } from '../backoff.ts';
import type { SessionEvent } from '../../protocol/types.ts';

/** After so many connections in a row with something that is no Holdpoint, it will never be one. */
const NONSENSE_MAX = 5;
/** After so many sockets in a row without a welcome, something on the way does not let them pass. */
const UNOPENED_MAX = 2;

/** What is wanted in most cells says nothing of what came, and so is the same for every talk. */
type Step = StreamStep<never>;
const DROP: ConnectionAction<never> = { type: 'drop' };

export interface Begin {
  readonly after: number;
  readonly hasSockets: boolean;
  readonly isOnline: boolean;
  readonly isVisible: boolean;
}

/** Time, chance and timing, given with each event. */
export interface Inputs {
  readonly now: number;
  /** From 0 to 1. */
  readonly chance: number;
  readonly pace: Timing;
}

/** The first connection is made in the background as well: somebody asked for it. */
export function begin({ after, ...surroundings }: Begin, inputs: Inputs): Step {
  const memory: Memory = {
    cursor: after,
    attempt: 0,
    nonsense: 0,
    unopened: 0,
    isRenewed: false,
    ...surroundings,
  };
  return connect(memory, inputs);
}

export function advance<Carried extends Stream = SessionStream>(
  state: ConnectionState,
  event: ConnectionEvent<Carried>,
  inputs: Inputs,
): StreamStep<Carried> {
  const { memory, phase } = state;
  if (phase.type === 'closed') return stay(state);
  switch (event.type) {
    case 'stop':
      return end(memory, undefined);
    case 'due':
      return due(state, inputs);
    case 'reconnect':
      return reconnect(state, inputs);
    case 'online':
    case 'offline':
      return surroundings(state, { ...memory, isOnline: event.type === 'online' }, inputs);
    case 'visible':
    case 'hidden':
      return surroundings(state, { ...memory, isVisible: event.type === 'visible' }, inputs);
  }
  // What is left is said by a connection, and there is none.
  if (phase.type === 'waiting' || phase.type === 'paused') return stay(state);
  switch (event.type) {
    case 'token-refused':
      return pause(memory, 'unauthenticated');
    case 'closed':
      return closed(state, event.code, inputs);
    case 'nonsense':
      return nonsense(state, inputs);
    case 'foreign':
      return end(memory, protocolMismatch(event.protocol));
    case 'refusal':
      return step(memory, { ...phase, refusal: event.refusal });
  }
  if (phase.type === 'connecting') {
    switch (event.type) {
      case 'opened':
        return step(memory, { ...phase, dueAt: inputs.now + inputs.pace.openMs });
      case 'welcome':
        return welcome(memory, phase, event.snapshot, inputs);
      case 'heard':
        return stay(state);
    }
    return nonsense(state, inputs);
  }
  const heard = { ...phase, dueAt: inputs.now + inputs.pace.quietMs, isProbed: false };
  switch (event.type) {
    case 'opened':
      return stay(state);
    case 'welcome':
      return lose(state, inputs);
    case 'heard':
      return step(memory, heard);
    case 'delta':
      return step(memory, heard, event);
    case 'events':
      return events({ memory, phase: heard }, event.events, inputs);
  }
}

function step<Carried extends Stream = never>(
  memory: Memory,
  phase: Phase,
  ...actions: readonly ConnectionAction<Carried>[]
): StreamStep<Carried> {
  return { state: { memory, phase }, actions };
}

function stay(state: ConnectionState): Step {
  return { state, actions: [] };
}

function isConnected(phase: Phase): phase is Extract<Phase, { since: number }> {
  return 'since' in phase;
}

function connect(memory: Memory, inputs: Inputs, isRenewal = false): Step {
  const isBlocked = !memory.hasSockets || memory.unopened >= UNOPENED_MAX;
  const link = isBlocked ? 'stream' : 'socket';
  const phase: Phase = { type: 'connecting', link, dueAt: inputs.now + inputs.pace.openMs };
  return step(memory, phase, { type: 'connect', link, isRenewal });
}

function end(memory: Memory, error: ClientError | undefined): Step {
  return step(memory, { type: 'closed', ...(error !== undefined && { error }) }, DROP);
}

type Reason = Extract<Phase, { type: 'paused' }>['reason'];

function pause(memory: Memory, reason: Reason): Step {
  return step(memory, { type: 'paused', reason }, DROP);
}

/** Why it makes no sense to try now, if so. Without a network, looking at the page does not help. */
function obstacle({ isOnline, isVisible }: Memory): Reason | undefined {
  if (!isOnline) return 'offline';
  return isVisible ? undefined : 'hidden';
}

/** The next one may be better. */
function lose({ memory, phase }: ConnectionState, inputs: Inputs): Step {
  const { now, chance, pace } = inputs;
  const isGood = wasGood(phase, inputs);
  const before = isGood ? 0 : memory.attempt;
  const next = {
    ...memory,
    attempt: before + 1,
    unopened: unopenedAfter(memory, phase),
    isRenewed: memory.isRenewed && !isGood,
  };
  const reason = obstacle(next);
  if (reason !== undefined) return pause(next, reason);
  const delay = Math.max(backoff(before, chance, pace), askedPause(refusalOf(phase)?.details));
  return step(next, { type: 'waiting', dueAt: now + delay }, DROP);
}

/** One that welcomes and hangs up at once must not count as a success, or it would be hammered. */
function wasGood(phase: Phase, inputs: Inputs): boolean {
  return isConnected(phase) && inputs.now - phase.since >= inputs.pace.stableMs;
}

/** A stream that ends is followed by one more try of a socket: they may pass by now. */
function unopenedAfter({ unopened }: Memory, phase: Phase): number {
  if (!('link' in phase)) return unopened;
  const isWelcome = phase.type !== 'connecting';
  if (phase.link === 'stream') return isWelcome ? UNOPENED_MAX - 1 : 0;
  return isWelcome ? 0 : unopened + 1;
}

function closed(state: ConnectionState, code: number, inputs: Inputs): Step {
  const { memory, phase } = state;
  if (code === 4401) {
    if (memory.isRenewed && !wasGood(phase, inputs)) return pause(memory, 'unauthenticated');
    return connect({ ...memory, isRenewed: true }, inputs, true);
  }
  const error = finalError(code, refusalOf(phase));
  return error === undefined ? lose(state, inputs) : end(memory, error);
}

function refusalOf(phase: Phase): Refusal | undefined {
  return 'refusal' in phase ? phase.refusal : undefined;
}

/** Frames that cannot be read after a good welcome are a fault on the way, not another service. */
function nonsense(state: ConnectionState, inputs: Inputs): Step {
  const { memory, phase } = state;
  if (phase.type !== 'connecting') return lose(state, inputs);
  const next = { ...memory, nonsense: memory.nonsense + 1 };
  if (next.nonsense < NONSENSE_MAX) return lose({ memory: next, phase }, inputs);
  return end(next, notHoldpoint('What answers is no Holdpoint.'));
}

function welcome<Carried extends Stream>(
  before: Memory,
  { link }: Extract<Phase, { type: 'connecting' }>,
  snapshot: Carried['snapshot'],
  inputs: Inputs,
): StreamStep<Carried> {
  const { head } = snapshot;
  if (head < before.cursor) return end(before, finalError(4409, undefined));
  const unopened = link === 'socket' ? 0 : before.unopened;
  const memory = { ...before, nonsense: 0, unopened };
  const { now, pace } = inputs;
  const connected = { link, since: now, dueAt: now + pace.quietMs, isProbed: false };
  const phase: Phase =
    memory.cursor < head
      ? { type: 'replaying', head, ...connected }
      : { type: 'live', ...connected };
  return step(memory, phase, { type: 'welcome', snapshot });
}

function events(state: ConnectionState, all: readonly SessionEvent[], inputs: Inputs): Step {
  const { cursor } = state.memory;
  const fresh = all.filter(({ seq }) => seq > cursor);
  const gap = fresh.findIndex(({ seq }, index) => seq !== cursor + 1 + index);
  const inOrder = gap < 0 ? fresh : fresh.slice(0, gap);
  const kept: Step =
    inOrder.length === 0
      ? stay(state)
      : {
          state: delivered(state, cursor + inOrder.length),
          actions: [{ type: 'deliver', events: inOrder }],
        };
  if (gap < 0) return kept;
  const lost = lose(kept.state, inputs);
  return { state: lost.state, actions: [...kept.actions, ...lost.actions] };
}

/** Something new came: whatever was wrong before is over. */
function delivered({ memory, phase }: ConnectionState, cursor: number): ConnectionState {
  const next = { ...memory, cursor, attempt: 0 };
  if (phase.type !== 'replaying' || cursor < phase.head) return { memory: next, phase };
  const { head: _head, ...connected } = phase;
  return { memory: next, phase: { ...connected, type: 'live' } };
}

/** A timer may be early; whoever set it looks at `dueAt` again. */
function due(state: ConnectionState, inputs: Inputs): Step {
  const { memory, phase } = state;
  if (!('dueAt' in phase) || inputs.now < phase.dueAt) return stay(state);
  if (phase.type === 'waiting') return connect(memory, inputs);
  if (phase.type === 'connecting' || phase.isProbed) return lose(state, inputs);
  return probe(state, inputs);
}

function probe(state: ConnectionState, inputs: Inputs): Step {
  const { memory, phase } = state;
  if (!isConnected(phase) || phase.isProbed) return stay(state);
  const dueAt = inputs.now + inputs.pace.pongMs;
  return step(memory, { ...phase, dueAt, isProbed: true }, { type: 'ping' });
}

/** Somebody asks for it, so it is tried whatever the page or the network say of themselves. */
function reconnect(state: ConnectionState, inputs: Inputs): Step {
  const { memory, phase } = state;
  if (phase.type !== 'waiting' && phase.type !== 'paused') return probe(state, inputs);
  const isSignedOut = phase.type === 'paused' && phase.reason === 'unauthenticated';
  return connect({ ...memory, attempt: 0, isRenewed: isSignedOut }, inputs, isSignedOut);
}

/**
 * A connection that stands is kept, hidden or not. One that slept with its page or its network may be
 * dead without knowing it, so it is asked.
 */
function surroundings({ phase }: ConnectionState, memory: Memory, inputs: Inputs): Step {
  const state = { memory, phase };
  const isBack = memory.isOnline && memory.isVisible;
  if (phase.type === 'waiting' || (phase.type === 'paused' && phase.reason !== 'unauthenticated')) {
    const reason = obstacle(memory);
    if (reason !== undefined) return step(memory, { type: 'paused', reason });
    // Nothing was in the way before: the delay is what it waits for.
    return phase.type === 'waiting' ? stay(state) : connect(memory, inputs);
  }
  return isBack ? probe(state, inputs) : stay(state);
}
