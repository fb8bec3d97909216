/**
 * Finds the record that a command names, by its id or as the latest of its tool call, or the answers that
 * an earlier instance of the agent left behind, and marks it as delivered.
 *
 * Open records are in memory; the open step of a tool call is its latest.
 */
import { findOpenForToolCall, type SessionState } from '../core/state.ts';
import type { Opener } from '../protocol/schema/actor.ts';
import { type Caller, isAgentOf } from '../protocol/caller.ts';
import type { Rejection } from '../protocol/errors.ts';
import type { Command } from '../protocol/schema/command.ts';
import { parseInteractionId } from '../protocol/ids.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import { readOpening } from '../core/decisions/read-opening.ts';
import type { CommandReply, Facts } from '../core/decision.ts';
import type { KindRegistry } from '../core/kinds/kind.ts';
import { findNamedFiles } from './attached-files.ts';
import type { SessionContext } from './facts.ts';
import type { HeldInput } from '../core/whole-input.ts';
import type { Commit, HistoryChange, SessionStore } from './ports.ts';
import type { Session } from './session.ts';

type OpenRecords = SessionState['open'];

export function recordById(
  store: SessionStore,
  open: OpenRecords,
  interactionId: string,
): Interaction | undefined {
  const known = open.get(interactionId);
  if (known !== undefined) return known;
  const id = parseInteractionId(interactionId);
  return id && store.record(id.toolCallId, id.step);
}

/** The agent goes on with the request that takes the place of a decision; a person sees what was decided. */
export function followUndone(
  store: SessionStore,
  open: OpenRecords,
  record: Interaction | undefined,
): Interaction | undefined {
  let present = record;
  while (present?.undone !== undefined && present.replacedBy !== undefined) {
    present = recordById(store, open, present.replacedBy);
  }
  return present;
}

function latestOf(
  store: SessionStore,
  open: OpenRecords,
  toolCallId: string,
): Interaction | undefined {
  return findOpenForToolCall(open, toolCallId) ?? store.latestRecord(toolCallId);
}

/** Who asked about the reported tool calls. Needed only beside a built-in agent, whose calls others must not report. */
function findAskers(
  store: SessionStore,
  { info, open }: SessionState,
  command: Command,
): ReadonlyMap<string, Opener> | undefined {
  if (info.agent === null || command.type !== 'events.append') return undefined;
  const askers = new Map<string, Opener>();
  for (const { type, toolCallId } of command.events) {
    if (type !== 'tool_result' || toolCallId === undefined || askers.has(toolCallId)) continue;
    const record = latestOf(store, open, toolCallId);
    if (record !== undefined) askers.set(toolCallId, record.openedBy);
  }
  return askers;
}

function recordFor(
  store: SessionStore,
  open: OpenRecords,
  command: Command,
): Interaction | undefined {
  switch (command.type) {
    case 'interaction.open': {
      const { toolCallId } = command.common;
      return toolCallId === undefined ? undefined : latestOf(store, open, toolCallId);
    }
    case 'interaction.answer':
      return 'interactionId' in command.target
        ? recordById(store, open, command.target.interactionId)
        : latestOf(store, open, command.target.toolCallId);
    case 'interaction.cancel':
      return followUndone(store, open, recordById(store, open, command.interactionId));
    case 'interaction.complete':
    case 'interaction.extend':
    case 'interaction.undo':
    case 'interaction.withdraw':
    case 'interaction.claim':
    case 'interaction.handover':
      return recordById(store, open, command.interactionId);
    case 'message.send':
      return command.replyTo === undefined ? undefined : recordById(store, open, command.replyTo);
    default:
      return undefined;
  }
}

/** For an opening that earlier instances of its agent may have asked: the answers that they left behind. */
function findUnacknowledged(
  store: SessionStore,
  command: Command,
  kinds: KindRegistry,
): readonly Interaction[] | undefined {
  if (command.type !== 'interaction.open' || command.common.agentInstance === undefined) {
    return undefined;
  }
  const opening = readOpening(command, kinds);
  return 'ok' in opening ? undefined : store.unacknowledged(opening.digest);
}

function heldBy(command: Command, kinds: KindRegistry): HeldInput | undefined {
  if (command.type !== 'interaction.open') return undefined;
  const opening = readOpening(command, kinds);
  return 'ok' in opening ? undefined : opening.held;
}

/** What a commit of this command writes beside its rows: a large input, that files are named, and given rows of history. */
export function findBeside(
  command: Command,
  context: Pick<SessionContext, 'kinds' | 'ports'>,
  reply: CommandReply,
  {
    attachedFiles = [],
    history,
  }: Pick<Facts, 'attachedFiles'> & { readonly history?: HistoryChange | undefined },
): Pick<Commit, 'history' | 'heldInputs' | 'usedFiles'> {
  const usedFiles = attachedFiles.map(({ attachmentId }) => attachmentId);
  return {
    ...(history && { history }),
    ...findHeldInput(command, context, reply),
    ...(usedFiles.length > 0 && { usedFiles }),
  };
}

export function isOpening({ type }: Pick<Command, 'type'>): boolean {
  return type === 'interaction.open' || type === 'interactions.open';
}

/** The inputs that are stored with the records that this command made. */
function findHeldInput(
  command: Command,
  { kinds, ports: { store } }: Pick<SessionContext, 'kinds' | 'ports'>,
  reply: CommandReply,
): Pick<Commit, 'heldInputs'> | undefined {
  const held = (opened: CommandReply | Rejection | undefined, text: () => string | undefined) => {
    const isCreated = opened !== undefined && !('ok' in opened) && opened.type === 'interaction';
    if (!isCreated || opened.created !== true) return [];
    const input = text();
    return input === undefined ? [] : [{ interactionId: opened.interactionId, text: input }];
  };
  const heldInputs =
    command.type === 'interactions.open' && reply.type === 'openings'
      ? command.openings.flatMap((opening, index) =>
          held(reply.results[index], () =>
            'ok' in opening ? undefined : heldBy(opening, kinds)?.text,
          ),
        )
      : held(reply, () =>
          command.type === 'interaction.undo'
            ? readHeldText(store, command.interactionId)
            : heldBy(command, kinds)?.text,
        );
  return heldInputs.length === 0 ? undefined : { heldInputs };
}

function readHeldText({ heldInputs }: SessionStore, interactionId: string): string | undefined {
  const parts: string[] = [];
  for (;;) {
    const part = heldInputs.part(interactionId, parts.length);
    if (part === undefined) return parts.length === 0 ? undefined : parts.join('');
    parts.push(part);
  }
}

/** What a decision needs to know of stored records and of those who wait. */
export function findFacts(
  context: SessionContext,
  state: SessionState,
  command: Command,
): Pick<
  Facts,
  'record' | 'askers' | 'unacknowledged' | 'heldBytes' | 'attachedFiles' | 'openings'
> {
  const { kinds, ports } = context;
  if (command.type === 'interactions.open') {
    const openings = command.openings.map((opening) => ({
      freshId: ports.freshId(),
      ...('ok' in opening ? {} : findFacts(context, state, opening)),
    }));
    return { openings };
  }
  const { store } = ports;
  const attachedFiles = findNamedFiles(store, command);
  const record = recordFor(store, state.open, command);
  const isHeld =
    command.type === 'interaction.undo'
      ? record?.wholeInput !== undefined
      : heldBy(command, kinds) !== undefined;
  const heldBytes = isHeld ? { heldBytes: store.heldInputs.bytes() } : undefined;
  if (record !== undefined) return { record, attachedFiles, ...heldBytes };
  const askers = findAskers(store, state, command);
  const unacknowledged = findUnacknowledged(store, command, kinds);
  return {
    ...(askers && { askers }),
    ...(unacknowledged && { unacknowledged }),
    ...heldBytes,
    attachedFiles,
  };
}

/** Marks a settled record as delivered when its agent reads it for the first time. */
export function markDelivered(
  { ports, agents }: Pick<Session, 'ports' | 'agents'>,
  record: Interaction,
  caller: Caller,
): Interaction {
  const isNews = record.status === 'settled' && record.deliveredAt === undefined;
  if (!isNews || !isAgentOf(caller, record.openedBy)) return record;
  const deliveredAt = ports.now();
  ports.store.markDelivered(record, deliveredAt);
  agents.noteRead(record.interactionId, { deliveredAt });
  return { ...record, deliveredAt };
}
