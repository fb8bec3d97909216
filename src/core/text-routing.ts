/**
 * Routes a chat message: to the one open interaction that takes text, to the agent, or to the queue. Text decides an
 * approval only if the message names the approval and is exactly one of six words.
 */
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { type KindRegistry, findKind } from './kinds/kind.ts';
import { restoreOpenRecord } from './repeated-answer.ts';
import { listOpenInteractions, type SessionState } from './state.ts';
import { replacesUndecided, rejectUnseen } from './rejections.ts';

export type TextRoute =
  | { readonly to: 'clear' }
  | { readonly to: 'cancel' }
  | { readonly to: 'interaction'; readonly record: Interaction; readonly answer: JsonObject }
  | { readonly to: 'turn' }
  | { readonly to: 'queue' }
  | Rejection;

/** Long enough for a person to notice and read a question that has replaced another. */
const RECENTLY_REPLACED_MS = 10_000;

export interface IncomingText {
  readonly text: string;
  readonly now: number;
  readonly canAnswer: boolean;
  /** Whether the sender is among those whom this open interaction is for. */
  readonly isAsked: (interaction: Interaction) => boolean;
  /** The record named by `replyTo`: open, settled, or unknown. */
  readonly replyTo?: { readonly record: Interaction | undefined };
}

export function routeText(
  state: SessionState,
  kinds: KindRegistry,
  message: IncomingText,
): TextRoute {
  const command = message.text.trim();
  if (command === '/clear') return { to: 'clear' };
  if (command === '/cancel') return { to: 'cancel' };
  if (message.replyTo !== undefined) return routeReply(kinds, message, message.replyTo.record);

  const open = listOpenInteractions(state);
  const taking = open.filter((interaction) => findKind(kinds, interaction).takesText(interaction));
  if (taking.length === 0) return { to: open.length === 0 ? 'turn' : 'queue' };
  const candidates = message.canAnswer ? taking.filter(message.isAsked) : [];
  const [only, ...others] = candidates;
  if (only === undefined) return { to: 'turn' };
  if (others.length > 0) return rejectAmbiguous(candidates);
  // The person may have written the text for the replaced question.
  if (replacesUndecided(only) && message.now - only.openedAt < RECENTLY_REPLACED_MS)
    return rejectUnseen(only);
  return routeToInteraction(kinds, only, message.text);
}

function routeReply(
  kinds: KindRegistry,
  message: IncomingText,
  record: Interaction | undefined,
): TextRoute {
  if (!message.canAnswer) {
    return reject('forbidden', 'This credential may not answer; it needs the scope answer', {
      scopes: ['answer'],
    });
  }
  if (record === undefined)
    return reject('not_found', 'replyTo names no interaction of this session');
  return routeToInteraction(kinds, record, message.text);
}

function routeToInteraction(kinds: KindRegistry, record: Interaction, text: string): TextRoute {
  const kind = findKind(kinds, record);
  const openRecord = record.status === 'open' ? record : restoreOpenRecord(record);
  const answer = kind.fromText(openRecord, text);
  if (answer === undefined && record.status === 'open') {
    return reject('text_not_an_answer', kind.textHint);
  }
  return { to: 'interaction', record, answer: answer ?? {} };
}

function rejectAmbiguous(candidates: readonly Interaction[]): Rejection {
  return reject(
    'ambiguous_text',
    'Several open interactions take this text; name one with replyTo',
    {
      candidates: candidates.map(({ interactionId, toolName, kind }) => ({
        interactionId,
        toolName,
        kind,
      })),
    },
  );
}
