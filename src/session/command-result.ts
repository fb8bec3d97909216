/** The result of a command: inside the session, and as the text that leaves it. */
import type { CommandReply, OpenedReply } from '../core/decision.ts';
import { type SessionState, viewSession } from '../core/state.ts';
import type { Rejection } from '../protocol/errors.ts';
import { errorPart } from '../protocol/frames.ts';
import type { InteractionView } from '../protocol/schema/interaction.ts';

export interface CommandResult {
  readonly ok: true;
  readonly reply: CommandReply;
  readonly body: ReturnType<typeof commandBody>;
  readonly replayed: boolean;
  /** The reply must wait until the workspace has the report. A repeat cannot know, so it waits too. */
  readonly mustReportFirst: boolean;
}
export type HandleResult = CommandResult | Rejection;

/** The response body of a command; `look` finds the record that a reply names. */
export function commandBody(reply: CommandReply, state: SessionState, look: FindView) {
  switch (reply.type) {
    case 'session':
      return { session: viewSession(state) };
    case 'interaction':
    case 'gate':
      return openedBody(reply, look);
    case 'openings':
      return { results: reply.results.map((one) => openingResult(one, look)) };
    case 'answered-by-text':
      return {
        routed: 'interaction',
        interactionId: reply.interactionId,
        message: 'Response received.',
        ...(reply.adjust && { decision: 'adjust' }),
      };
    case 'turn': {
      const { type: routed, ...ids } = reply;
      return { routed, ...ids };
    }
    case 'retried':
      return { turnId: reply.turnId };
    case 'queued':
      return { routed: 'queued', messageId: reply.messageId };
    case 'history': {
      const { type: _, ...extent } = reply;
      return extent;
    }
    case 'cancelled':
      return { cancelled: reply.count };
    case 'done':
      return { ok: true, head: reply.head ?? state.head };
  }
}

type FindView = (interactionId: string) => InteractionView | undefined;

function openedBody(reply: OpenedReply, look: FindView) {
  return reply.type === 'gate'
    ? { decision: reply.decision }
    : { interaction: look(reply.interactionId) };
}

function openingResult(result: OpenedReply | Rejection, look: FindView) {
  return 'ok' in result
    ? { ok: false, error: errorPart(result) }
    : { ok: true, ...openedBody(result, look) };
}

/** How a result came about. */
export interface ResultMeta {
  readonly replayed: boolean;
  /** False if the interaction existed before, or if the gate decided without a person. */
  readonly isNew: boolean;
}

/** The result of a command as it leaves the session, with its body as response text. */
export interface ResultText extends ResultMeta {
  readonly ok: true;
  readonly json: string;
}

export function readResultMeta({
  reply,
  replayed,
}: Pick<CommandResult, 'reply' | 'replayed'>): ResultMeta {
  const wasThere = reply.type === 'interaction' && reply.created === false;
  return { isNew: reply.type !== 'gate' && !wasThere, replayed };
}

export function writeResult(handled: HandleResult): ResultText | Rejection {
  if (!handled.ok) return handled;
  return { ok: true, json: JSON.stringify(handled.body), ...readResultMeta(handled) };
}
