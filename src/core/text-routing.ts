/**
 * Where a chat message goes: to the one open interaction that takes text, to the agent, or to the
 * queue. Text never decides an approval unless it names it and says exactly one of six words.
 */
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import type { Kinds } from './kinds/kind.ts';
import { beforeItsEnd } from './repeated-answer.ts';
import { kindOf } from './kinds/find-kind.ts';
import { openInOrder, type SessionState } from './state.ts';
import { isSwapped, refuseUnseen } from './rejections.ts';

export type Route =
  | { readonly to: 'clear' }
  | { readonly to: 'cancel' }
  | { readonly to: 'interaction'; readonly record: Interaction; readonly answer: JsonObject }
  | { readonly to: 'turn' }
  | { readonly to: 'queue' }
  | Rejection;

/** Long enough to read a question that has just taken the place of another, or to see that one has. */
const FRESH_MS = 10_000;

export interface Message {
  readonly text: string;
  readonly now: number;
  readonly canAnswer: boolean;
  /** The record named by `replyTo`: open, settled, or unknown. */
  readonly replyTo?: { readonly record: Interaction | undefined };
}

export function routeText(state: SessionState, kinds: Kinds, message: Message): Route {
  const command = message.text.trim();
  if (command === '/clear') return { to: 'clear' };
  if (command === '/cancel') return { to: 'cancel' };
  if (message.replyTo !== undefined) return routeReply(kinds, message, message.replyTo.record);

  const open = openInOrder(state);
  const takers = open.filter((interaction) => kindOf(kinds, interaction).takesText(interaction));
  if (takers.length === 0) return { to: open.length === 0 ? 'turn' : 'queue' };
  if (!message.canAnswer) return { to: 'turn' };
  const [only, ...others] = takers;
  if (only === undefined || others.length > 0) return ambiguous(takers);
  // The text may have been written for what stood there a moment ago.
  if (isSwapped(only) && message.now - only.openedAt < FRESH_MS) return refuseUnseen(only);
  return addressed(kinds, only, message.text);
}

function routeReply(kinds: Kinds, message: Message, record: Interaction | undefined): Route {
  if (!message.canAnswer) {
    return reject('forbidden', 'This credential may not answer; it needs the scope answer', {
      scopes: ['answer'],
    });
  }
  if (record === undefined)
    return reject('not_found', 'replyTo names no interaction of this session');
  return addressed(kinds, record, message.text);
}

function addressed(kinds: Kinds, record: Interaction, text: string): Route {
  const kind = kindOf(kinds, record);
  const asked = record.status === 'open' ? record : beforeItsEnd(record);
  const answer = kind.fromText(asked, text);
  if (answer === undefined && record.status === 'open') {
    return reject('text_not_an_answer', kind.textHint);
  }
  return { to: 'interaction', record, answer: answer ?? {} };
}

function ambiguous(takers: readonly Interaction[]): Rejection {
  return reject('ambiguous_text', 'Several questions are open; name one with replyTo', {
    candidates: takers.map(({ interactionId, toolName, kind }) => ({
      interactionId,
      toolName,
      kind,
    })),
  });
}
