/** The color of a card, and the words for its outcome. */
import type { Interaction, Outcome } from '../../../protocol/types.ts';
import type { Person } from '../person.ts';
import { spanWords } from '../absolute-time.ts';
import { t } from '../language.ts';
import { personName } from '../names.ts';

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
function placeWords(via: string): string {
  switch (via) {
    case 'link':
      return t('by an answer link');
    case 'text':
      return t('by a message');
    case 'cli':
      return t('in a terminal');
    case 'hook':
      return t('by a hook');
    case 'mcp':
      return t('over MCP');
    case 'push':
      return t('from a notification');
    case 'rule':
      return t('by a rule');
    case 'system':
      return t('by the service');
    default:
      return '';
  }
}

/** The outcome in one or two words; the word for a denial depends on the kind. */
export function outcomeWords(record: Interaction): string {
  const { kind, outcome, decision, defaulted, undone } = record;
  switch (outcome) {
    case 'approved':
      return isForSession(decision) ? t('Approved for this session') : t('Approved');
    case 'denied':
      if (asksForChanges(record)) return t('Changes requested');
      if (kind !== 'approval') return t('Declined');
      return decision?.['stop'] === true ? t('Denied, turn stopped') : t('Denied');
    case 'answered':
      if (kind === 'link') return t('Done');
      return defaulted === true
        ? withTime(record, t('Answered by default'), (time) =>
            t('Answered by default after {time}', { time }),
          )
        : t('Answered');
    case 'cancelled':
      return terminalWords(record) ?? t('Cancelled');
    case 'expired':
      return kind === 'approval'
        ? withTime(record, t('Expired: denied automatically'), (time) =>
            t('Expired: denied automatically after {time}', { time }),
          )
        : withTime(record, t('Expired: no answer'), (time) =>
            t('Expired: no answer within {time}', { time }),
          );
    case 'superseded':
      return undone === undefined ? t('Replaced by a changed request') : t('Taken back');
    case null:
      return t('No longer open');
  }
}

/** The terminal of the agent answered first. */
function terminalWords({ elsewhere }: Interaction): string | undefined {
  if (elsewhere === undefined) return undefined;
  return elsewhere === 'failed'
    ? t('Allowed at the terminal, and failed')
    : t('Answered at the terminal');
}

/** The end of an interaction for a person who was about to answer it, as the start of a sentence. */
export function overtakenWords(record: Interaction, me: Viewer): string {
  const { kind, status, outcome, settledBy } = record;
  if (status === 'open') return t('The agent changed its request');
  const who = isOwnDecision(record, me)
    ? t('You')
    : settledBy === null
      ? t('Another person')
      : personName(settledBy);
  switch (outcome) {
    case 'approved':
      return t('{who} approved this', { who });
    case 'denied':
      if (asksForChanges(record)) return t('{who} requested changes to this', { who });
      return kind === 'approval'
        ? t('{who} denied this', { who })
        : t('{who} declined this', { who });
    case 'answered':
      return settledBy?.via === 'timeout' ? t('This expired') : t('{who} answered this', { who });
    case 'expired':
      return t('This expired');
    default:
      return terminalWords(record) ?? t('This was withdrawn');
  }
}

function isForSession(decision: Interaction['decision']): boolean {
  return decision?.offer === 'session';
}

/** The time that was allowed, including an extension. */
function timeAllowed({ openedAt, expiresAt }: Interaction): string | undefined {
  return expiresAt === null ? undefined : spanWords(expiresAt - openedAt);
}

function withTime(record: Interaction, words: string, timed: (time: string) => string): string {
  const time = timeAllowed(record);
  return time === undefined ? words : timed(time);
}

/** Who decided, and where if known: "by ada in a terminal". */
export function deciderWords(record: Interaction, me: Viewer): string {
  const { outcome, settledBy, elsewhere } = record;
  // The key of the agent reported it, and who sat at its terminal is not known.
  if (elsewhere !== undefined) return '';
  if (settledBy === null || outcome === 'superseded' || outcome === 'expired') return '';
  if (settledBy.via === 'timeout' || settledBy.via === 'system') return '';
  const where = placeWords(settledBy.via);
  const who = isOwnDecision(record, me)
    ? t('by you')
    : t('by {name}', { name: personName(settledBy) });
  return `${who} ${where}`.trim();
}
