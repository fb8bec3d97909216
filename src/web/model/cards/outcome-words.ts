/** What a card shows of an interaction at a glance: which color it has, and in which words it ended. */
import type { Interaction, Outcome } from '../../../protocol/types.ts';
import type { Person } from '../person.ts';
import { escapeInvisible } from '../escapes.ts';
import { formatDuration } from '../times.ts';

/** Whoever looks at the card, as far as what they signed in with says (`Person`). */
export type Viewer = Pick<Person, 'credential' | 'key' | 'subject' | 'via'>;

export type Tone = 'amber' | 'emerald' | 'red' | 'grey';

const TONES: Readonly<Record<Outcome, Tone>> = {
  approved: 'emerald',
  answered: 'emerald',
  denied: 'red',
  cancelled: 'grey',
  expired: 'grey',
  superseded: 'grey',
};

/** Another person's decision is grey: it asks for nothing and was not made by the person who looks. */
export function cardToneOf(record: Interaction, me: Viewer): Tone {
  const { status, outcome } = record;
  if (status === 'open') return 'amber';
  if (outcome === null || asksForChanges(record) || !isOwnDecision(record, me)) return 'grey';
  return TONES[outcome];
}

/** A plan that was sent back: the agent goes on, so this is no refusal. */
export function asksForChanges({ kind, outcome }: Interaction): boolean {
  return kind === 'plan_review' && outcome === 'denied';
}

/**
 * From the record alone, so that a card says the same after a reload as before it.
 *
 * A name is not enough, because each key gives its tokens the names it likes; with another token of the same key and
 * name it is the same person on another day or another device.
 */
function isOwnDecision({ settledBy }: Interaction, me: Viewer): boolean {
  if (settledBy === null || settledBy.subject !== me.subject) return false;
  const { credential, key, via } = settledBy;
  if (credential !== undefined) return credential === me.credential || key === me.key;
  // A log from before credentials were kept.
  return via === me.via || via === 'text';
}

/**
 * Where an answer was given, of those surfaces that say so. `web` and `api` say what somebody signed in with: a person's
 * token works with curl, and the admin key in the chat.
 */
const PLACE_WORDS: Readonly<Record<string, string>> = {
  link: 'by an answer link',
  text: 'by a message',
  cli: 'in a terminal',
  hook: 'by a hook',
  mcp: 'over MCP',
  push: 'from a notification',
  rule: 'by a rule',
  system: 'by the service',
};

/** In one or two words; a denial is called what it was for this kind. */
export function outcomeWords(record: Interaction): string {
  const { kind, outcome, decision, defaulted } = record;
  switch (outcome) {
    case 'approved':
      return isForSession(decision) ? 'Approved for this session' : 'Approved';
    case 'denied':
      if (asksForChanges(record)) return 'Changes requested';
      return kind === 'approval' ? 'Denied' : 'Declined';
    case 'answered':
      return defaulted === true ? `Answered by default${afterTime(record)}` : 'Answered';
    case 'cancelled':
      return 'Cancelled';
    case 'expired':
      return kind === 'approval'
        ? `Expired: denied automatically${afterTime(record)}`
        : `Expired: no answer${withinTime(record)}`;
    case 'superseded':
      return 'Replaced by a changed request';
    case null:
      return 'No longer open';
  }
}

/** How it ended for somebody who was about to answer, as the beginning of a sentence. */
export function overtakenWords(record: Interaction, me: Viewer): string {
  const { kind, status, outcome, settledBy } = record;
  if (status === 'open') return 'The agent changed its request';
  const who = isOwnDecision(record, me)
    ? 'You'
    : escapeInvisible(settledBy?.subject ?? 'Another person');
  switch (outcome) {
    case 'approved':
      return `${who} approved this`;
    case 'denied':
      if (asksForChanges(record)) return `${who} requested changes to this`;
      return `${who} ${kind === 'approval' ? 'denied' : 'declined'} this`;
    case 'answered':
      return settledBy?.via === 'timeout' ? 'This expired' : `${who} answered this`;
    case 'expired':
      return 'This expired';
    default:
      return 'This was withdrawn';
  }
}

function isForSession(decision: Interaction['decision']): boolean {
  return decision?.offer === 'session';
}

/** The time there was, with what an extension added to it. */
function timeAllowed({ openedAt, expiresAt }: Interaction): string | undefined {
  return expiresAt === null ? undefined : formatDuration(expiresAt - openedAt);
}

function afterTime(record: Interaction): string {
  const time = timeAllowed(record);
  return time === undefined ? '' : ` after ${time}`;
}

function withinTime(record: Interaction): string {
  const time = timeAllowed(record);
  return time === undefined ? '' : ` within ${time}`;
}

/** By whom, and where if that is known: "by ada in a terminal". */
export function deciderWords(record: Interaction, me: Viewer): string {
  const { outcome, settledBy } = record;
  if (settledBy === null || outcome === 'superseded' || outcome === 'expired') return '';
  if (settledBy.via === 'timeout' || settledBy.via === 'system') return '';
  const where = PLACE_WORDS[settledBy.via] ?? '';
  return `by ${isOwnDecision(record, me) ? 'you' : settledBy.subject} ${where}`.trim();
}
