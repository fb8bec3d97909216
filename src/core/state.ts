/**
 * The state of a session at one point of its log: enough to decide the next command, and no more.
 *
 * Settled records are not part of it; the record that a command names comes in as a fact.
 * `stateFrom` in `session/session.ts` (from rows) and folding the whole log must agree; a test compares them.
 */
import type { Opener } from '../protocol/schema/actor.ts';
import type { Labels } from '../protocol/schema/audience.ts';
import type { AgentSettings } from '../protocol/schema/agent-settings.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { Usage } from '../protocol/schema/usage.ts';
import type { CliSessionView } from '../protocol/schema/cli-session.ts';
import { viewAgent } from './tools/agent-settings.ts';
import type { Rule } from '../protocol/schema/rule.ts';
import type {
  PermissionMode,
  QueuedMessage,
  SessionView,
  Timeouts,
} from '../protocol/schema/session.ts';

export interface SessionTurn {
  readonly turnId?: string;
  readonly startedAt: number;
  /** Absent for the built-in agent, and in logs from before owners were kept. */
  readonly by?: Opener;
}

/** Summaries of the conversation of the built-in agent. */
interface Compaction {
  /** The events that can be taken back, oldest first; the last one is what the model reads. */
  readonly summaries: readonly number[];
  /** A person took a summary back: the conversation may fill the window. */
  readonly isHeldOff?: true;
}

/** The part of the state that is not interactions or rules: one small stored row. */
export interface SessionInfo {
  readonly workspace: string;
  readonly id: string;
  readonly createdAt: number;
  readonly deletedAt: number | null;
  readonly title: string | null;
  readonly permissionMode: PermissionMode;
  readonly timeouts: Timeouts;
  readonly metadata: NonNullable<SessionView['metadata']>;
  /** Absent: it has none. */
  readonly labels?: Labels;
  /** Absent: it never was. */
  readonly archived?: boolean;
  /** Tokens of all turns that reported theirs; absent: none did. */
  readonly usage?: Usage;
  /** The full settings, which the built-in agent works with; null where the agent runs elsewhere. */
  readonly agent: AgentSettings | null;
  /** The turn that started last; `turns.ts` explains `otherTurns`. */
  readonly turn: SessionTurn | null;
  readonly otherTurns?: readonly SessionTurn[];
  readonly queued: readonly QueuedMessage[];
  /** The summaries that the model reads; absent: it reads all messages. */
  readonly compaction?: Compaction;
  /** The history of the CLI session at `index` is stored under `index + 1`; none is ever removed. */
  readonly cliSessions?: readonly CliSessionView[];
}

/** What stays of a deleted session: that its id was used, and when. */
export function tombstoneOf(info: SessionInfo): SessionInfo {
  const { workspace, id, createdAt, deletedAt, permissionMode } = info;
  const nothing = { title: null, timeouts: {}, metadata: {}, agent: null, turn: null, queued: [] };
  return { workspace, id, createdAt, deletedAt, permissionMode, ...nothing };
}

export interface SessionState {
  readonly info: SessionInfo;
  readonly head: number;
  readonly open: ReadonlyMap<string, Interaction>;
  readonly rules: readonly Rule[];
}

export function assembleState({
  info,
  head,
  rules,
  open,
}: Omit<SessionState, 'open'> & { readonly open: readonly Interaction[] }): SessionState {
  return { info, head, rules, open: new Map(open.map((one) => [one.interactionId, one])) };
}

/** Oldest first. */
export function listOpenInteractions(state: SessionState): Interaction[] {
  return [...state.open.values()].sort(
    (a, b) => a.openedAt - b.openedAt || (a.interactionId < b.interactionId ? -1 : 1),
  );
}

/** Where the agent works; known only where all conversations of the session are in the same folder. */
export function workingFolder({ cliSessions = [] }: SessionInfo): string | undefined {
  const [folder, ...others] = new Set(cliSessions.map(({ cwd }) => cwd));
  return others.length > 0 ? undefined : folder;
}

/** The built-in agent runs a turn or waits for a person within it; messages are queued until the turn ends. */
export function isBusy({ info }: SessionState): boolean {
  return info.agent !== null && info.turn !== null;
}

export function findOpenForToolCall(
  open: SessionState['open'],
  toolCallId: string,
): Interaction | undefined {
  for (const interaction of open.values()) {
    const { reassignedTo } = interaction;
    if (interaction.toolCallId === toolCallId || reassignedTo?.toolCallId === toolCallId) {
      return interaction;
    }
  }
  return undefined;
}

export function viewSession(state: SessionState): SessionView {
  const { deletedAt: _, turn, otherTurns, queued, agent, ...rest } = state.info;
  const { compaction, cliSessions, ...info } = rest;
  return {
    ...info,
    agent: agent && viewAgent(agent),
    turn: turn === null ? null : { ...turn },
    ...(otherTurns !== undefined && { otherTurns: [...otherTurns] }),
    queued: [...queued],
    ...(compaction !== undefined && { summaries: [...compaction.summaries] }),
    waitingForPerson: state.open.size > 0,
    cliSessions: [...(cliSessions ?? [])],
  };
}
