/**
 * The state machine of a connection: state and event in, next state and actions out.
 *
 * The machine has no side effects: the driver opens sockets, sets timers, and passes time and random numbers with each
 * event. Invariants, for every order of events:
 *
 * 1. Events are delivered in order of `seq`, each once. Events after a gap are not delivered; the machine gives the
 *    connection up, and the next one begins after the last delivered event.
 * 2. There is one connection at a time: the old one is dropped or closed before a new one is opened.
 * 3. `closed` is final. Every other phase has an exit: a time, or a named event.
 *
 * docs/client-connection.md has every cell of state and event; a test reads them from there. The file has over 300 lines
 * because each cell of that table stands here, and no cell elsewhere.
 */
import {
  requestedPauseMs,
  type ClientError,
  finalError,
  notHoldpointError,
  protocolMismatchError,
} from '../errors.ts';
import type {
  ConnectionAction,
  ConnectionEvent,
  ConnectionState,
  ConnectionMemory,
  Phase,
  ServerRefusal,
  SessionStream,
  ConnectionStep,
  Stream,
} from './state.ts';
import { startOfLog } from '../transport.ts';
import { backoff, type Timing } from '../backoff.ts';
import type { PauseReason } from '../transport.ts';
import type { SessionEvent } from '../../protocol/types.ts';

/** After so many unreadable connections in a row, the server at this address is not Holdpoint. */
const NONSENSE_MAX = 5;
/** After so many sockets in a row without a welcome, a proxy on the way probably blocks them. */
const UNOPENED_MAX = 2;

/** A step whose actions carry no payload is the same for sessions and the inbox. */
type PlainStep = ConnectionStep<never>;
const DROP: ConnectionAction<never> = { type: 'drop' };

export interface ConnectionStart {
  readonly after: number;
  readonly hasSockets: boolean;
  readonly isOnline: boolean;
  readonly isVisible: boolean;
}

/** Passed with each event. */
export interface Inputs {
  readonly now: number;
  /** From 0 to 1. */
  readonly chance: number;
  readonly timing: Timing;
}

/** A hidden page connects too, because the caller has just subscribed. */
export function beginConnection(
  { after, ...surroundings }: ConnectionStart,
  inputs: Inputs,
): PlainStep {
  const memory: ConnectionMemory = {
    cursor: after,
    attempt: 0,
    nonsense: 0,
    unopened: 0,
    isRenewed: false,
    ...surroundings,
  };
  return startConnecting(memory, inputs);
}

export function advance<Carried extends Stream = SessionStream>(
  state: ConnectionState,
  event: ConnectionEvent<Carried>,
  inputs: Inputs,
): ConnectionStep<Carried> {
  const { memory, phase } = state;
  if (phase.type === 'closed') return stay(state);
  switch (event.type) {
    case 'stop':
      return endConnection(memory, undefined);
    case 'due':
      return handleDue(state, inputs);
    case 'reconnect':
      return handleReconnect(state, inputs);
    case 'online':
    case 'offline':
      return handleSurroundings(state, { ...memory, isOnline: event.type === 'online' }, inputs);
    case 'visible':
    case 'hidden':
      return handleSurroundings(state, { ...memory, isVisible: event.type === 'visible' }, inputs);
  }
  // The remaining events come from a link, and no link is open here.
  if (phase.type === 'waiting' || phase.type === 'paused') return stay(state);
  switch (event.type) {
    case 'token-refused':
      return pauseConnection(memory, 'unauthenticated');
    case 'closed':
      return handleClose(state, event.code, inputs);
    case 'nonsense':
      return handleNonsense(state, inputs);
    case 'foreign':
      return endConnection(memory, protocolMismatchError(event.protocol));
    case 'refusal':
      return step(memory, { ...phase, refusal: event.refusal });
  }
  if (phase.type === 'connecting') {
    switch (event.type) {
      case 'opened':
        return step(memory, { ...phase, dueAt: inputs.now + inputs.timing.openMs });
      case 'welcome':
        return handleWelcome(memory, phase, event.snapshot, inputs);
      case 'alive':
        return stay(state);
    }
    return handleNonsense(state, inputs);
  }
  const alive = { ...phase, dueAt: inputs.now + inputs.timing.quietMs, isProbed: false };
  switch (event.type) {
    case 'opened':
      return stay(state);
    case 'welcome':
      return loseConnection(state, inputs);
    case 'alive':
      return step(memory, alive);
    case 'delta':
    case 'presence':
    case 'agents':
      return step(memory, alive, event);
    case 'events':
      return handleEvents({ memory, phase: alive }, event.events, inputs);
  }
}

function step<Carried extends Stream = never>(
  memory: ConnectionMemory,
  phase: Phase,
  ...actions: readonly ConnectionAction<Carried>[]
): ConnectionStep<Carried> {
  return { state: { memory, phase }, actions };
}

function stay(state: ConnectionState): PlainStep {
  return { state, actions: [] };
}

function isConnectedPhase(phase: Phase): phase is Extract<Phase, { since: number }> {
  return 'since' in phase;
}

function startConnecting(memory: ConnectionMemory, inputs: Inputs, isRenewal = false): PlainStep {
  const isBlocked = !memory.hasSockets || memory.unopened >= UNOPENED_MAX;
  const link = isBlocked ? 'stream' : 'socket';
  const phase: Phase = { type: 'connecting', link, dueAt: inputs.now + inputs.timing.openMs };
  return step(memory, phase, { type: 'connect', link, isRenewal });
}

function endConnection(memory: ConnectionMemory, error: ClientError | undefined): PlainStep {
  return step(memory, { type: 'closed', ...(error !== undefined && { error }) }, DROP);
}

function pauseConnection(memory: ConnectionMemory, reason: PauseReason): PlainStep {
  return step(memory, { type: 'paused', reason }, DROP);
}

/** The reason not to connect now, if there is one. `offline` wins: showing the page brings no network back. */
function obstacle({ isOnline, isVisible }: ConnectionMemory): PauseReason | undefined {
  if (!isOnline) return 'offline';
  return isVisible ? undefined : 'hidden';
}

/** Schedules the next connection, or pauses. */
function loseConnection({ memory, phase }: ConnectionState, inputs: Inputs): PlainStep {
  const { now, chance, timing } = inputs;
  const isGood = wasGood(phase, inputs);
  const before = isGood ? 0 : memory.attempt;
  const next = {
    ...memory,
    attempt: before + 1,
    unopened: unopenedAfter(memory, phase),
    isRenewed: memory.isRenewed && !isGood,
  };
  const reason = obstacle(next);
  if (reason !== undefined) return pauseConnection(next, reason);
  const delay = Math.max(
    backoff(before, chance, timing),
    requestedPauseMs(serverRefusalOf(phase)?.details),
  );
  return step(next, { type: 'waiting', dueAt: now + delay }, DROP);
}

/** A server that welcomes and closes at once does not count as a success; otherwise clients would reconnect without delay. */
function wasGood(phase: Phase, inputs: Inputs): boolean {
  return isConnectedPhase(phase) && inputs.now - phase.since >= inputs.timing.stableMs;
}

/** After a stream ends, one more socket is tried: sockets may get through by now. */
function unopenedAfter({ unopened }: ConnectionMemory, phase: Phase): number {
  if (!('link' in phase)) return unopened;
  const isWelcome = phase.type !== 'connecting';
  if (phase.link === 'stream') return isWelcome ? UNOPENED_MAX - 1 : 0;
  return isWelcome ? 0 : unopened + 1;
}

function handleClose(state: ConnectionState, code: number, inputs: Inputs): PlainStep {
  const { memory, phase } = state;
  if (code === 4401) {
    if (memory.isRenewed && !wasGood(phase, inputs))
      return pauseConnection(memory, 'unauthenticated');
    return startConnecting({ ...memory, isRenewed: true }, inputs, true);
  }
  const error = finalError(code, serverRefusalOf(phase));
  return error === undefined ? loseConnection(state, inputs) : endConnection(memory, error);
}

function serverRefusalOf(phase: Phase): ServerRefusal | undefined {
  return 'refusal' in phase ? phase.refusal : undefined;
}

/** Unreadable frames after a good welcome are a fault of the network, not another service. */
function handleNonsense(state: ConnectionState, inputs: Inputs): PlainStep {
  const { memory, phase } = state;
  if (phase.type !== 'connecting') return loseConnection(state, inputs);
  const next = { ...memory, nonsense: memory.nonsense + 1 };
  if (next.nonsense < NONSENSE_MAX) return loseConnection({ memory: next, phase }, inputs);
  return endConnection(next, notHoldpointError('The server at this address is not Holdpoint.'));
}

function handleWelcome<Carried extends Stream>(
  before: ConnectionMemory,
  { link }: Extract<Phase, { type: 'connecting' }>,
  snapshot: Carried['snapshot'],
  inputs: Inputs,
): ConnectionStep<Carried> {
  const { head } = snapshot;
  const cursor = startOfLog(before.cursor, head);
  if (head < cursor) return endConnection(before, finalError(4409, undefined));
  const unopened = link === 'socket' ? 0 : before.unopened;
  const memory = { ...before, cursor, nonsense: 0, unopened };
  const { now, timing } = inputs;
  const connected = { link, since: now, dueAt: now + timing.quietMs, isProbed: false };
  const phase: Phase =
    memory.cursor < head
      ? { type: 'replaying', head, ...connected }
      : { type: 'live', ...connected };
  return step(memory, phase, { type: 'welcome', snapshot });
}

function handleEvents(
  state: ConnectionState,
  all: readonly SessionEvent[],
  inputs: Inputs,
): PlainStep {
  const { cursor } = state.memory;
  const fresh = all.filter(({ seq }) => seq > cursor);
  const gap = fresh.findIndex(({ seq }, index) => seq !== cursor + 1 + index);
  const inOrder = gap < 0 ? fresh : fresh.slice(0, gap);
  const kept: PlainStep =
    inOrder.length === 0
      ? stay(state)
      : {
          state: afterDelivery(state, cursor + inOrder.length),
          actions: [{ type: 'deliver', events: inOrder }],
        };
  if (gap < 0) return kept;
  const lost = loseConnection(kept.state, inputs);
  return { state: lost.state, actions: [...kept.actions, ...lost.actions] };
}

/** Delivered events end a series of failures. */
function afterDelivery({ memory, phase }: ConnectionState, cursor: number): ConnectionState {
  const next = { ...memory, cursor, attempt: 0 };
  if (phase.type !== 'replaying' || cursor < phase.head) return { memory: next, phase };
  const { head: _head, ...connected } = phase;
  return { memory: next, phase: { ...connected, type: 'live' } };
}

/** A timer may fire early; the driver then reads `dueAt` again. */
function handleDue(state: ConnectionState, inputs: Inputs): PlainStep {
  const { memory, phase } = state;
  if (!('dueAt' in phase) || inputs.now < phase.dueAt) return stay(state);
  if (phase.type === 'waiting') return startConnecting(memory, inputs);
  if (phase.type === 'connecting' || phase.isProbed) return loseConnection(state, inputs);
  return probe(state, inputs);
}

function probe(state: ConnectionState, inputs: Inputs): PlainStep {
  const { memory, phase } = state;
  if (!isConnectedPhase(phase) || phase.isProbed) return stay(state);
  const dueAt = inputs.now + inputs.timing.pongMs;
  return step(memory, { ...phase, dueAt, isProbed: true }, { type: 'ping' });
}

/** The caller asks, so the machine connects even if the page reports itself as hidden or offline. */
function handleReconnect(state: ConnectionState, inputs: Inputs): PlainStep {
  const { memory, phase } = state;
  if (phase.type !== 'waiting' && phase.type !== 'paused') return probe(state, inputs);
  const isSignedOut = phase.type === 'paused' && phase.reason === 'unauthenticated';
  return startConnecting({ ...memory, attempt: 0, isRenewed: isSignedOut }, inputs, isSignedOut);
}

/**
 * Hiding the page or losing the network keeps an open connection. When both are back, a ping finds out whether it
 * survived.
 */
function handleSurroundings(
  { phase }: ConnectionState,
  memory: ConnectionMemory,
  inputs: Inputs,
): PlainStep {
  const state = { memory, phase };
  const isBack = memory.isOnline && memory.isVisible;
  if (phase.type === 'waiting' || (phase.type === 'paused' && phase.reason !== 'unauthenticated')) {
    const reason = obstacle(memory);
    if (reason !== undefined) return step(memory, { type: 'paused', reason });
    // In `waiting` there was no obstacle before; only the delay counts.
    return phase.type === 'waiting' ? stay(state) : startConnecting(memory, inputs);
  }
  return isBack ? probe(state, inputs) : stay(state);
}
