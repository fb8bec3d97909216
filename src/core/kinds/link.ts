/**
 * Link: a person opens an address for the agent. Opening is the consent; no text but a named reply, no deadline and no
 * agent gives it. With `awaitCompletion` the opening leaves it open until the agent completes it or a person says that it
 * is done.
 */
import { LinkReply, LinkRequest } from '../../protocol/schema/kinds/link.ts';
import { defineKind, type AnswerEffect } from './kind.ts';

const OPENED = new Set(['opened', 'open', 'yes']);
const DONE_WORDS = new Set(['done', 'finished']);
const DECLINED = new Set(['no', 'decline']);

const ANSWERED = { ok: true, type: 'settle', action: 'submit', outcome: 'answered' } as const;

export const linkToOpen = defineKind({
  name: 'link',
  presentation: 'questionnaire',
  request: LinkRequest,
  answer: LinkReply,
  gated: false,
  allowsDefaultAnswer: false,

  input: (request) => request,

  interpret({ linkCompleted }, request, answer): AnswerEffect {
    if ('decline' in answer) {
      const reason = answer.reason?.trim();
      const declined = { ok: true, type: 'settle', action: 'deny', outcome: 'denied' } as const;
      return reason ? { ...declined, reason } : declined;
    }
    const mustWait = 'opened' in answer && request.awaitCompletion === true && !linkCompleted;
    return mustWait
      ? { ok: true, type: 'advance', change: 'link_opened', linkOpened: true }
      : ANSWERED;
  },

  /** Without an opening by a person it is only noted: an agent must not answer its own request. */
  completion({ linkOpened }, { awaitCompletion }): AnswerEffect | undefined {
    if (awaitCompletion !== true) return undefined;
    if (linkOpened === true) return ANSWERED;
    return { ok: true, type: 'advance', change: 'link_completed', linkCompleted: true };
  },

  undoProblem: ({ outcome }) =>
    outcome === 'answered' ? 'The address was opened, which nothing takes back' : undefined,

  takesText: () => false,
  fromText(_interaction, text): LinkReply | undefined {
    const word = text.trim().toLowerCase();
    if (OPENED.has(word)) return { opened: true };
    if (DONE_WORDS.has(word)) return { done: true };
    return DECLINED.has(word) ? { decline: true } : undefined;
  },
  textHint: 'Open the link first; then reply with exactly one of opened, done, no or decline',

  expired: () => 'Timed out',
  cancelled: 'Interaction cancelled',

  allow: () => ({ updatedInput: {} }),
  denied: (interaction) =>
    interaction.reason === undefined
      ? 'User declined to open the link'
      : `User declined to open the link. Reason: ${interaction.reason}`,
});
