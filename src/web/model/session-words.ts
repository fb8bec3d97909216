/** The words for a session: its modes, its status, and its notices. */
import type { Replica, SessionStatus } from '../../client/state/replica.ts';
import type { TurnEnd } from '../../client/timeline/index.ts';
import type { PermissionMode } from '../../protocol/types.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { t } from './language.ts';

/** The name of a permission mode. */
export function modeName(mode: PermissionMode): string {
  switch (mode) {
    case 'default':
      return t('Ask first');
    case 'acceptEdits':
      return t('Auto-accept edits');
    case 'plan':
      return t('Plan mode');
    case 'bypassPermissions':
      return t('Bypass approvals');
  }
}

/** What the agent is doing (PEND-6). */
export function statusText(status: SessionStatus, isWaiting: boolean): string {
  if (isWaiting) return t('Waiting for you');
  switch (status) {
    case 'working':
      return t('Working');
    case 'retrying':
      return t('Trying again');
    case 'deleted':
      return t('Deleted');
    case 'idle':
      return t('Idle');
  }
}

/** Beside the three dots, while a turn runs and no request is open. */
export function typingText({ report }: Pick<Replica, 'report'>): string {
  if (report?.status !== 'retrying') return t('Working');
  return escapeInvisible(report.message ?? '') || t('The model is busy. Trying again');
}

export function endText({ reason, message }: TurnEnd): string {
  const text = message === undefined ? '' : escapeInvisible(message);
  if (reason === 'interrupted') return text || t('Stopped');
  return text || (reason === 'error' ? t('The turn failed') : '');
}
