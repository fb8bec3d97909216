/** The status of a session and its notices, in few words. */
import type { Replica } from '../../client/state/replica.ts';
import type { SessionStatus } from '../../client/state/replica.ts';
import type { NoticeBlock, TurnEnd } from '../../client/timeline/index.ts';
import { escapeInvisible } from './escapes.ts';
import { MODE_WORDS } from './modes.ts';

/** What the agent is doing (PEND-6). */
export function statusText(status: SessionStatus, isWaiting: boolean): string {
  if (isWaiting) return 'Waiting for you';
  switch (status) {
    case 'working':
      return 'Working';
    case 'retrying':
      return 'Trying again';
    case 'deleted':
      return 'Deleted';
    case 'idle':
      return 'Idle';
  }
}

/** Beside the three dots, while a turn runs and no request is open. */
export function typingText({ report }: Pick<Replica, 'report'>): string {
  if (report?.status !== 'retrying') return 'Working';
  return escapeInvisible(report.message ?? '') || 'The model is busy. Trying again';
}

/** What happened in a session beside its messages. */
export function noticeText({ event }: NoticeBlock): string {
  switch (event.type) {
    case 'session_updated': {
      const { permissionMode, ruleAdded, by } = event.payload;
      const who = escapeInvisible(by.subject);
      if (permissionMode !== undefined)
        return `${who} set the mode to “${MODE_WORDS[permissionMode].name}”`;
      if (ruleAdded !== undefined)
        return `${who} allowed ${escapeInvisible(ruleAdded.toolName)} for this session`;
      return `${who} revoked a rule of this session`;
    }
    case 'session_status':
      return escapeInvisible(event.payload.message ?? '') || 'The session was deleted';
    case 'context_cleared':
      return `${escapeInvisible(event.payload.by.subject)} cleared the context: the agent starts over`;
    case 'history_imported':
      return `${event.payload.entries} entries were imported from ${escapeInvisible(event.payload.provider)}`;
  }
}

export function endText({ reason, message }: TurnEnd): string {
  const text = message === undefined ? '' : escapeInvisible(message);
  if (reason === 'interrupted') return text || 'Stopped';
  return text || (reason === 'error' ? 'The turn failed' : '');
}
