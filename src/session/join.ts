/** A connection joins a session: to receive its events, or to wait for one outcome. */
import { isReassignedFrom } from '../core/reassign.ts';
import { rootOf, type Caller } from '../protocol/caller.ts';
import type { CommandOf, Context } from '../protocol/schema/command.ts';
import type { Rejection } from '../protocol/errors.ts';
import { withAudiences } from './audiences.ts';
import { settledFrame } from './frames-out.ts';
import type { Attachment, Socket } from './ports.ts';
import {
  findForReader,
  rejectCursor,
  requireState,
  readInteraction,
  readSnapshot,
} from './queries.ts';
import type { HandleResult } from './command-result.ts';
import type { Session } from './session.ts';
import { tryClose, trySend } from './try-send.ts';

export type JoinRequest =
  /** A negative `after` asks for so many of the last events. */
  | { readonly to: 'log'; readonly after: number; readonly attachment: Attachment }
  | {
      readonly to: 'outcome';
      readonly interactionId: string;
      readonly caller: Caller;
      readonly attachment: Attachment;
      /** The call that waits; it does not wait for what another call has by now. */
      readonly toolCallId?: string | undefined;
      /** The pending call whose waiter this connection replaces. */
      readonly pendingCall?: string | undefined;
    };

/** An opening and the wait for its outcome, in one call. */
export interface AskAndWait {
  readonly to: 'ask';
  readonly command: CommandOf<'interaction.open'>;
  readonly context: Context;
  readonly until: number;
  readonly isAgent: boolean;
  /** The credential and those it was minted from. */
  readonly chain: readonly string[];
}

export type WaitRequest = Extract<JoinRequest, { to: 'outcome' }>;

/** What became of an opening; with a connection it is open, and the connection waits for its outcome. */
interface Joined<Connection> {
  readonly handled: HandleResult;
  readonly interactionId: string;
  readonly connection?: Connection | undefined;
}

/** Calls `join` in the same task as the opening: an outcome in between would find no waiter. */
export async function openAndJoin<Connection>(
  session: Session,
  { command, context: given, until, isAgent, chain }: AskAndWait,
  join: (request: WaitRequest) => Connection | undefined,
): Promise<Joined<Connection>> {
  const read = withAudiences(session, [command], given);
  const context = read instanceof Promise ? await read : read;
  if ('ok' in context) return { handled: context, interactionId: '' };
  const opened = await session.rendezvous.open(command, context, (opening): Joined<Connection> => {
    const handled = session.handle(opening, context);
    const record = handled.ok && 'interaction' in handled.body && handled.body.interaction;
    const isOver =
      !record || record.status === 'settled' || isReassignedFrom(opening.common, record);
    if (isOver) return { handled, interactionId: '' };
    const { interactionId } = record;
    const { caller } = context;
    const waiter = { role: 'waiter', interactionId, until, agent: isAgent, chain } as const;
    const attachment = { ...waiter, root: rootOf(caller) };
    const connection = join({ to: 'outcome', interactionId, caller, attachment });
    return { handled, interactionId, connection };
  });
  return 'ok' in opened ? { handled: opened, interactionId: '' } : opened;
}

/** Undefined if the caller may accept the connection; it must then call `completeJoin`. */
export function joinRejection(session: Session, request: JoinRequest): Rejection | undefined {
  const state = requireState(session);
  if ('ok' in state) return state;
  if (request.to === 'log' && request.after > state.head) {
    return rejectCursor(request.after, state.head);
  }
  if (request.to === 'outcome' && !state.open.has(request.interactionId)) {
    const read = readInteraction(session, request.interactionId, request.caller);
    if (!read.ok) return read;
  }
  return session.subscribers.rejectIfFull(request.attachment);
}

/** Called synchronously after the connection is accepted, so that no event falls between. */
export function completeJoin(session: Session, socket: Socket, request: JoinRequest): void {
  if (request.to === 'log') {
    const { attachment } = request;
    if (attachment.role === 'subscriber') session.undelivered.markShown(attachment.caller);
    session.subscribers.welcome(socket, request.after, () => {
      const snapshot = readSnapshot(session);
      return snapshot.ok ? snapshot.value : undefined;
    });
    session.agents.join(attachment);
    return;
  }
  const { toolCallId, attachment, caller } = request;
  const state = session.current();
  const record = state && findForReader(session, state, request.interactionId, caller);
  const isLost = record && isReassignedFrom({ toolCallId }, record);
  if (record?.status === 'open' && (toolCallId === undefined || !isLost)) {
    const { interactionId } = record;
    if (interactionId !== request.interactionId)
      socket.attach({ ...attachment, interactionId } as Attachment);
    return session.agents.join(socket.attachment);
  }
  const read = readInteraction(session, request.interactionId, request.caller);
  if (!read.ok) return;
  trySend(socket, settledFrame(read.value));
  tryClose(socket, 1000, 'settled');
}
