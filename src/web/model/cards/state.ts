/** What a card shows of an interaction at a glance: which color it has, and in which words it ended. */
import type { Interaction, Outcome } from '../../../client/words.ts';

/**
 * How this card knows of the end: it was given here, it came from elsewhere while somebody looked at it,
 * or it was over before the card was drawn.
 */
export type Witness = 'mine' | 'elsewhere' | 'history';

export type Tone = 'amber' | 'emerald' | 'red' | 'grey';

const TONES: Readonly<Record<Outcome, Tone>> = {
  approved: 'emerald',
  answered: 'emerald',
  denied: 'red',
  cancelled: 'grey',
  expired: 'grey',
  superseded: 'grey',
};

/** What somebody else decided is grey: it asks for nothing and was not done by whoever looks. */
export function toneOf({ status, outcome }: Interaction, witness: Witness): Tone {
  if (status === 'open') return 'amber';
  if (witness === 'elsewhere') return 'grey';
  return outcome === null ? 'grey' : TONES[outcome];
}

const VIAS: Readonly<Record<string, string>> = {
  web: 'in the web chat',
  api: 'through the API',
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
export function outcomeWord({ kind, outcome, decision, defaulted }: Interaction): string {
  switch (outcome) {
    case 'approved':
      return isForSession(decision) ? 'Approved for this session' : 'Approved';
    case 'denied':
      if (kind === 'plan_review') return 'Sent back';
      return kind === 'approval' ? 'Denied' : 'Declined';
    case 'answered':
      return defaulted === true ? 'Answered by default' : 'Answered';
    case 'cancelled':
      return 'Cancelled';
    case 'expired':
      return 'Timed out';
    case 'superseded':
      return 'Asked again in another form';
    case null:
      return 'No longer open';
  }
}

function isForSession(decision: Interaction['decision']): boolean {
  return decision?.offer === 'session';
}

/** By whom and where, as far as a person did it: "by ada in the web chat". */
export function byWhom({ outcome, settledBy }: Interaction, witness: Witness): string {
  if (settledBy === null || outcome === 'superseded' || outcome === 'expired') return '';
  if (witness === 'mine') return 'by you';
  const where = VIAS[settledBy.via] ?? '';
  if (settledBy.via === 'timeout' || settledBy.via === 'system') return '';
  return `by ${settledBy.subject} ${where}`.trim();
}
