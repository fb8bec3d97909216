/**
 * What a connection does next: a machine that is told what happened and what time it is.
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
  SessionTalk,
  Step as SaidStep,
  Talk,
} from './state.ts';
import { backoff, type Pace } from '../backoff.ts';
import type { SessionEvent } from '../../protocol/types.ts';

/** After so many connections in a row with something that is no Holdpoint, it will never be one. */
const NONSENSE_MAX = 5;
/** After so many sockets in a row without a welcome, something on the way does not let them pass. */
const UNOPENED_MAX = 2;

/** What is wanted in most cells says nothing of what came, and so is the same for every talk. */
type Step = SaidStep<never>;
const DROP: ConnectionAction<never> = { type: 'drop' };

export interface Begin {
  readonly after: number;
  readonly hasSockets: boolean;
  readonly isOnline: boolean;
  readonly isVisible: boolean;
}

/** Time, chance and patience, as the machine is told them. */
export interface Told {
  readonly now: number;
  /** From 0 to 1. */
  readonly chance: number;
  readonly pace: Pace;
}

/** The first connection is made in the background as well: somebody asked for it. */
export function begin({ after, ...surroundings }: Begin, told: Told): Step {
  const memory: Memory = {
    cursor: after,
    attempt: 0,
    nonsense: 0,
    unopened: 0,
    isRenewed: false,
    ...surroundings,
  };
  return connect(memory, told);
}

export function advance<Says extends Talk = SessionTalk>(
  state: ConnectionState,
  event: ConnectionEvent<Says>,
  told: Told,
): SaidStep<Says> {
  const { memory, phase } = state;
  if (phase.type === 'closed') return stay(state);
  switch (event.type) {
    case 'stop':
      return end(memory, undefined);
    case 'due':
      return due(state, told);
    case 'reconnect':
      return reconnect(state, told);
    case 'online':
    case 'offline':
      return surroundings(state, { ...memory, isOnline: event.type === 'online' }, told);
    case 'visible':
    case 'hidden':
      return surroundings(state, { ...memory, isVisible: event.type === 'visible' }, told);
  }
  // What is left is said by a connection, and there is none.
  if (phase.type === 'waiting' || phase.type === 'paused') return stay(state);
  switch (event.type) {
    case 'token-refused':
      return pause(memory, 'unauthenticated');
    case 'closed':
      return closed(state, event.code, told);
    case 'nonsense':
      return nonsense(state, told);
    case 'foreign':
      return end(memory, protocolMismatch(event.protocol));
    case 'refusal':
      return step(memory, { ...phase, refusal: event.refusal });
  }
  if (phase.type === 'connecting') {
    switch (event.type) {
      case 'opened':
        return step(memory, { ...phase, dueAt: told.now + told.pace.openMs });
      case 'welcome':
        return welcome(memory, phase, event.snapshot, told);
      case 'heard':
        return stay(state);
    }
    return nonsense(state, told);
  }
  const heard = { ...phase, dueAt: told.now + told.pace.quietMs, isProbed: false };
  switch (event.type) {
    case 'opened':
      return stay(state);
    case 'welcome':
      return lose(state, told);
    case 'heard':
      return step(memory, heard);
    case 'delta':
      return step(memory, heard, event);
    case 'events':
      return events({ memory, phase: heard }, event.events, told);
  }
}

function step<Says extends Talk = never>(
  memory: Memory,
  phase: Phase,
  ...actions: readonly ConnectionAction<Says>[]
): SaidStep<Says> {
  return { state: { memory, phase }, actions };
}

function stay(state: ConnectionState): Step {
  return { state, actions: [] };
}

function isConnected(phase: Phase): phase is Extract<Phase, { since: number }> {
  return 'since' in phase;
}

function connect(memory: Memory, told: Told, isRenewal = false): Step {
  const isBlocked = !memory.hasSockets || memory.unopened >= UNOPENED_MAX;
  const carrier = isBlocked ? 'stream' : 'socket';
  const phase: Phase = { type: 'connecting', carrier, dueAt: told.now + told.pace.openMs };
  return step(memory, phase, { type: 'connect', carrier, isRenewal });
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
function lose({ memory, phase }: ConnectionState, told: Told): Step {
  const { now, chance, pace } = told;
  const isGood = wasGood(phase, told);
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
function wasGood(phase: Phase, told: Told): boolean {
  return isConnected(phase) && told.now - phase.since >= told.pace.stableMs;
}

/** A stream that ends is followed by one more try of a socket: they may pass by now. */
function unopenedAfter({ unopened }: Memory, phase: Phase): number {
  if (!('carrier' in phase)) return unopened;
  const isWelcome = phase.type !== 'connecting';
  if (phase.carrier === 'stream') return isWelcome ? UNOPENED_MAX - 1 : 0;
  return isWelcome ? 0 : unopened + 1;
}

function closed(state: ConnectionState, code: number, told: Told): Step {
  const { memory, phase } = state;
  if (code === 4401) {
    if (memory.isRenewed && !wasGood(phase, told)) return pause(memory, 'unauthenticated');
    return connect({ ...memory, isRenewed: true }, told, true);
  }
  const error = finalError(code, refusalOf(phase));
  return error === undefined ? lose(state, told) : end(memory, error);
}

function refusalOf(phase: Phase): Refusal | undefined {
  return 'refusal' in phase ? phase.refusal : undefined;
}

/** Frames that cannot be read after a good welcome are a fault on the way, not another service. */
function nonsense(state: ConnectionState, told: Told): Step {
  const { memory, phase } = state;
  if (phase.type !== 'connecting') return lose(state, told);
  const next = { ...memory, nonsense: memory.nonsense + 1 };
  if (next.nonsense < NONSENSE_MAX) return lose({ memory: next, phase }, told);
  return end(next, notHoldpoint('What answers is no Holdpoint.'));
}

function welcome<Says extends Talk>(
  before: Memory,
  { carrier }: Extract<Phase, { type: 'connecting' }>,
  snapshot: Says['snapshot'],
  told: Told,
): SaidStep<Says> {
  const { head } = snapshot;
  if (head < before.cursor) return end(before, finalError(4409, undefined));
  const unopened = carrier === 'socket' ? 0 : before.unopened;
  const memory = { ...before, nonsense: 0, unopened };
  const { now, pace } = told;
  const connected = { carrier, since: now, dueAt: now + pace.quietMs, isProbed: false };
  const phase: Phase =
    memory.cursor < head
      ? { type: 'replaying', head, ...connected }
      : { type: 'live', ...connected };
  return step(memory, phase, { type: 'welcome', snapshot });
}

function events(state: ConnectionState, all: readonly SessionEvent[], told: Told): Step {
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
  const lost = lose(kept.state, told);
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
function due(state: ConnectionState, told: Told): Step {
  const { memory, phase } = state;
  if (!('dueAt' in phase) || told.now < phase.dueAt) return stay(state);
  if (phase.type === 'waiting') return connect(memory, told);
  if (phase.type === 'connecting' || phase.isProbed) return lose(state, told);
  return probe(state, told);
}

function probe(state: ConnectionState, told: Told): Step {
  const { memory, phase } = state;
  if (!isConnected(phase) || phase.isProbed) return stay(state);
  const dueAt = told.now + told.pace.pongMs;
  return step(memory, { ...phase, dueAt, isProbed: true }, { type: 'ping' });
}

/** Somebody asks for it, so it is tried whatever the page or the network say of themselves. */
function reconnect(state: ConnectionState, told: Told): Step {
  const { memory, phase } = state;
  if (phase.type !== 'waiting' && phase.type !== 'paused') return probe(state, told);
  const isSignedOut = phase.type === 'paused' && phase.reason === 'unauthenticated';
  return connect({ ...memory, attempt: 0, isRenewed: isSignedOut }, told, isSignedOut);
}

/**
 * A connection that stands is kept, hidden or not. One that slept with its page or its network may be
 * dead without knowing it, so it is asked.
 */
function surroundings({ phase }: ConnectionState, memory: Memory, told: Told): Step {
  const state = { memory, phase };
  const isBack = memory.isOnline && memory.isVisible;
  if (phase.type === 'waiting' || (phase.type === 'paused' && phase.reason !== 'unauthenticated')) {
    const reason = obstacle(memory);
    if (reason !== undefined) return step(memory, { type: 'paused', reason });
    // Nothing was in the way before: the delay is what it waits for.
    return phase.type === 'waiting' ? stay(state) : connect(memory, told);
  }
  return isBack ? probe(state, told) : stay(state);
}
