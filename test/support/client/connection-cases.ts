/** Every phase and every event of the connection, by the names docs/client-connection.md gives them. */
import { advance } from '../../../src/client/connection/machine.ts';
import type {
  ConnectionEvent,
  ConnectionState,
  ConnectionMemory,
  Phase,
} from '../../../src/client/connection/state.ts';
import { TIMING } from '../../../src/client/backoff.ts';
import type { SessionEvent, Snapshot } from '../../../src/protocol/types.ts';

/** The time of every case below, except the cases about time. */
export const NOW = 1_000_000;
export const CURSOR = 5;
const SINCE = NOW - TIMING.stableMs + 1;

const MEMORY: ConnectionMemory = {
  cursor: CURSOR,
  attempt: 0,
  nonsense: 0,
  unopened: 0,
  hasSockets: true,
  isRenewed: false,
  isOnline: true,
  isVisible: true,
};

function stateOf(phase: Phase, memory: Partial<ConnectionMemory> = {}): ConnectionState {
  return { memory: { ...MEMORY, ...memory }, phase };
}

const connected = { link: 'socket', since: SINCE, dueAt: NOW, isProbed: false } as const;

export const PHASES: Readonly<Record<string, ConnectionState>> = {
  connecting: stateOf({ type: 'connecting', link: 'socket', dueAt: NOW }),
  replaying: stateOf({ type: 'replaying', head: CURSOR + 2, ...connected }),
  live: stateOf({ type: 'live', ...connected }),
  'live, hidden': stateOf({ type: 'live', ...connected }, { isVisible: false }),
  'live, offline': stateOf({ type: 'live', ...connected }, { isOnline: false }),
  waiting: stateOf({ type: 'waiting', dueAt: NOW }, { attempt: 1 }),
  'paused hidden': stateOf({ type: 'paused', reason: 'hidden' }, { isVisible: false }),
  'paused offline': stateOf({ type: 'paused', reason: 'offline' }, { isOnline: false }),
  'paused unauthenticated': stateOf({ type: 'paused', reason: 'unauthenticated' }),
  closed: stateOf({ type: 'closed' }),
};

export function event(seq: number): SessionEvent {
  return { seq, at: NOW, type: 'assistant_text', payload: { text: `text ${seq}` } };
}

export function snapshot(head: number): Snapshot {
  return {
    session: {
      id: 'demo',
      workspace: 'main',
      title: null,
      permissionMode: 'default',
      timeouts: {},
      metadata: {},
      createdAt: NOW,
      turn: null,
      queued: [],
      waitingForPerson: false,
      agent: null,
      cliSessions: [],
    },
    head,
    open: [],
    now: NOW,
  };
}

interface Happening {
  readonly event: ConnectionEvent;
  /** Changes the state before the event, for cases that depend on it. */
  readonly given?: (state: ConnectionState) => ConnectionState;
  readonly now?: number;
}

const remembering =
  (memory: Partial<ConnectionMemory>) =>
  (state: ConnectionState): ConnectionState => ({
    ...state,
    memory: { ...state.memory, ...memory },
  });

function probed(state: ConnectionState): ConnectionState {
  const { memory, phase } = state;
  return 'isProbed' in phase ? { memory, phase: { ...phase, isProbed: true } } : state;
}

const closedWith = (code: number): Happening => ({ event: { type: 'closed', code } });

export const HAPPENINGS: Readonly<Record<string, Happening>> = {
  opened: { event: { type: 'opened' } },
  'welcome, head at the cursor': { event: { type: 'welcome', snapshot: snapshot(CURSOR) } },
  'welcome, head further': { event: { type: 'welcome', snapshot: snapshot(CURSOR + 2) } },
  'welcome, head behind': { event: { type: 'welcome', snapshot: snapshot(CURSOR - 1) } },
  'welcome, other protocol': { event: { type: 'foreign', protocol: 'holdpoint.v2' } },
  'events, the next one': { event: { type: 'events', events: [event(CURSOR + 1)] } },
  'events, up to the head': {
    event: { type: 'events', events: [event(CURSOR + 1), event(CURSOR + 2)] },
  },
  'events, known ones': { event: { type: 'events', events: [event(CURSOR - 1), event(CURSOR)] } },
  'events, with a gap': { event: { type: 'events', events: [event(CURSOR + 2)] } },
  'events, a gap after the next': {
    event: { type: 'events', events: [event(CURSOR + 1), event(CURSOR + 3)] },
  },
  delta: { event: { type: 'delta', delta: { text: 'Hel' } } },
  presence: { event: { type: 'presence', presence: { people: [], more: 0 } } },
  agents: {
    event: { type: 'agents', agents: [{ interactionId: 'call-1~1', agentWaiting: true }] },
  },
  alive: { event: { type: 'alive' } },
  refusal: { event: { type: 'refusal', refusal: { code: 'forbidden', message: 'No' } } },
  nonsense: { event: { type: 'nonsense' } },
  'nonsense, the fifth time': { event: { type: 'nonsense' }, given: remembering({ nonsense: 4 }) },
  'closed 1006': closedWith(1006),
  'closed 1013': closedWith(1013),
  'closed 4401': closedWith(4401),
  'closed 4401, again': { ...closedWith(4401), given: remembering({ isRenewed: true }) },
  'closed 4403': closedWith(4403),
  'closed 4404': closedWith(4404),
  'closed 4409': closedWith(4409),
  'closed 1008': closedWith(1008),
  'closed 1009': closedWith(1009),
  'token refused': { event: { type: 'token-refused' } },
  'due, too early': { event: { type: 'due' }, now: NOW - 1 },
  due: { event: { type: 'due' } },
  'due, no answer to a ping': { event: { type: 'due' }, given: probed },
  offline: { event: { type: 'offline' } },
  online: { event: { type: 'online' } },
  hidden: { event: { type: 'hidden' } },
  visible: { event: { type: 'visible' } },
  reconnect: { event: { type: 'reconnect' } },
  stop: { event: { type: 'stop' } },
};

/** The text of a table cell: the next phase, if it changes, and the actions. */
export function cellOf(state: ConnectionState, { event, given, now = NOW }: Happening): string {
  const before = given?.(state) ?? state;
  const { state: after, actions } = advance(before, event, { now, chance: 0.5, timing: TIMING });
  const done = actions.map((action) => {
    if (action.type === 'connect') return action.isRenewal ? 'connect, new token' : 'connect';
    return action.type === 'deliver' ? `deliver ${action.events.length}` : action.type;
  });
  const words = [
    ...(nameOf(after) === nameOf(before) ? [] : [`**${nameOf(after)}**`]),
    ...(done.length === 0 ? [] : [done.join(', ')]),
  ];
  return words.length === 0 ? '–' : words.join(': ');
}

/** The phase without the state of the page; a closed connection includes its reason. */
function nameOf({ phase }: ConnectionState): string {
  if (phase.type === 'paused') return `paused ${phase.reason}`;
  if (phase.type === 'closed') return `closed ${phase.error?.code ?? ''}`.trim();
  return phase.type;
}
