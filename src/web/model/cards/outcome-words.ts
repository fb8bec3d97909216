/** The color of a card, and the words for its outcome. */
import type { Interaction, Outcome } from '../../../protocol/types.ts';
import type { Person } from '../person.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { describeDuration } from '../../../protocol/duration.ts';

/** The viewer of a card, as their credential describes them (`Person`). */
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

/** Grey for another person's decision: it asks for nothing, and the viewer did not make it. */
export function cardToneOf(record: Interaction, me: Viewer): Tone {
  const { status, outcome } = record;
  if (status === 'open') return 'amber';
  if (outcome === null || asksForChanges(record) || !isOwnDecision(record, me)) return 'grey';
  return TONES[outcome];
}

/** The agent continues after a plan was sent back, so this is not a refusal. */
export function asksForChanges({ kind, outcome }: Interaction): boolean {
  return kind === 'plan_review' && outcome === 'denied';
}

/**
 * Computed from the record alone, so that a reload shows the same.
 *
 * A name is not enough, because each key may give its tokens any name. Another token of the same key and name is the
 * same person on another day or device.
 */
function isOwnDecision({ settledBy }: Interaction, me: Viewer): boolean {
  if (settledBy === null || settledBy.subject !== me.subject) return false;
  const { credential, key, via } = settledBy;
  if (credential !== undefined) return credential === me.credential || key === me.key;
  // Older logs have no credentials.
  return via === me.via || via === 'text';
}

/**
 * The surfaces of an answer that are worth naming. `web` and `api` name only the credential: a person's token works
 * with curl, and the admin key works in the chat.
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

/** The outcome in one or two words; the word for a denial depends on the kind. */
export function outcomeWords(record: Interaction): string {
  const { kind, outcome, decision, defaulted, undone } = record;
  switch (outcome) {
    case 'approved':
      return isForSession(decision) ? 'Approved for this session' : 'Approved';
    case 'denied':
      if (asksForChanges(record)) return 'Changes requested';
      if (kind !== 'approval') return 'Declined';
      return decision?.['stop'] === true ? 'Denied, turn stopped' : 'Denied';
    case 'answered':
      if (kind === 'link') return 'Done';
      return defaulted === true ? `Answered by default${afterTime(record)}` : 'Answered';
    case 'cancelled':
      return 'Cancelled';
    case 'expired':
      return kind === 'approval'
        ? `Expired: denied automatically${afterTime(record)}`
        : `Expired: no answer${withinTime(record)}`;
    case 'superseded':
      return undone === undefined ? 'Replaced by a changed request' : 'Taken back';
    case null:
      return 'No longer open';
  }
}

/** The end of an interaction for a person who was about to answer it, as the start of a sentence. */
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

/** The time that was allowed, including an extension. */
function timeAllowed({ openedAt, expiresAt }: Interaction): string | undefined {
  return expiresAt === null ? undefined : describeDuration(expiresAt - openedAt);
}

function afterTime(record: Interaction): string {
  const time = timeAllowed(record);
  return time === undefined ? '' : ` after ${time}`;
}

function withinTime(record: Interaction): string {
  const time = timeAllowed(record);
  return time === undefined ? '' : ` within ${time}`;
}

/** Who decided, and where if known: "by ada in a terminal". */
export function deciderWords(record: Interaction, me: Viewer): string {
  const { outcome, settledBy } = record;
  if (settledBy === null || outcome === 'superseded' || outcome === 'expired') return '';
  if (settledBy.via === 'timeout' || settledBy.via === 'system') return '';
  const where = PLACE_WORDS[settledBy.via] ?? '';
  return `by ${isOwnDecision(record, me) ? 'you' : settledBy.subject} ${where}`.trim();
}
