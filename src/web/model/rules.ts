/** The words of rules, and a new rule as it is written in the form of the settings. */
import type { CreateRule, RuleTrial } from '../../protocol/types.ts';
import { t, tn } from './language.ts';
import { DAY_MS } from './times.ts';

export function ruleEffectWords(effect: CreateRule['effect'] | undefined): string {
  switch (effect) {
    case 'deny':
      return t('Denies');
    case 'ask':
      return t('Asks');
    case 'allow':
    case undefined:
      return t('Allows');
  }
}

export const PATTERN_KINDS = ['command', 'path', 'host', 'every'] as const;
export type PatternKind = (typeof PATTERN_KINDS)[number];

export interface RuleDraft {
  readonly effect: CreateRule['effect'];
  readonly toolName: string;
  readonly kind: PatternKind;
  readonly pattern: string;
  /** Days from now; 0: it does not expire. */
  readonly days: number;
  readonly reason: string;
  readonly everyCommand: boolean;
}

export const NEW_RULE: RuleDraft = {
  effect: 'allow',
  toolName: 'Bash',
  kind: 'command',
  pattern: '',
  days: 0,
  reason: '',
  everyCommand: false,
};

/** Undefined while something is missing. */
export function ruleOfDraft(draft: RuleDraft, now: number): CreateRule | undefined {
  const { effect, kind, days, everyCommand } = draft;
  const [toolName, pattern, reason] = [
    draft.toolName.trim(),
    draft.pattern.trim(),
    draft.reason.trim(),
  ];
  if (toolName === '' || (kind !== 'every' && pattern === '')) return undefined;
  return {
    effect,
    toolName,
    ...(kind !== 'every' && { [kind]: pattern }),
    ...(kind === 'every' && effect === 'allow' && everyCommand && { everyCommand }),
    ...(days > 0 && { expiresAt: Math.round(now + days * DAY_MS) }),
    ...(reason !== '' && { reason }),
  };
}

/** What a rule would have made of the last requests, in a sentence. */
export function trialWords({ tried, notTried, changed, becomes }: RuleTrial): string {
  if (tried + notTried === 0)
    return t('No request has passed the gate yet, so nothing can be tried.');
  const parts = [
    changed === 0
      ? tn(
          tried,
          'It changes nothing about the last request.',
          'It changes nothing about the last {count} requests.',
        )
      : tn(tried, 'Of the last request:', 'Of the last {count} requests:'),
    becomes.allowed > 0 &&
      tn(becomes.allowed, '1 would have been allowed.', '{count} would have been allowed.'),
    becomes.asked > 0 &&
      tn(becomes.asked, '1 would have been asked.', '{count} would have been asked.'),
    becomes.denied > 0 &&
      tn(becomes.denied, '1 would have been denied.', '{count} would have been denied.'),
    notTried > 0 && tn(notTried, '1 was too large to try.', '{count} were too large to try.'),
  ];
  return parts.filter((part) => part !== false).join(' ');
}

export function trialOutcomeWords(outcome: 'allowed' | 'asked' | 'denied'): string {
  switch (outcome) {
    case 'allowed':
      return t('allowed');
    case 'asked':
      return t('asked');
    case 'denied':
      return t('denied');
  }
}
