/** The words for a session: its modes, its status, and its notices. */
import type { Replica, SessionStatus } from '../../client/state/replica.ts';
import type { NoticeBlock, TurnEnd } from '../../client/timeline/index.ts';
import type { PermissionMode } from '../../protocol/types.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { audienceNames } from './audience.ts';

interface ModeWords {
  readonly name: string;
  readonly about: string;
}

/** The permission modes, each in one sentence. */
export const MODE_WORDS: Readonly<Record<PermissionMode, ModeWords>> = {
  default: {
    name: 'Ask first',
    about: 'Every tool waits for your approval, unless you allowed it for this session.',
  },
  acceptEdits: {
    name: 'Auto-accept edits',
    about: 'Reading and editing files goes through. Everything else waits for your approval.',
  },
  plan: {
    name: 'Plan mode',
    about: 'The agent may read and write a plan. It changes nothing until you approve the plan.',
  },
  bypassPermissions: {
    name: 'Bypass approvals',
    about: 'No tool waits for you; only questions do. An administrator has to switch this on.',
  },
};

export const MODE_ORDER = Object.keys(MODE_WORDS) as PermissionMode[];

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

/** What happened in a session beside its messages and answers. */
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
    case 'interaction_update': {
      const { change, escalatedTo } = event.payload;
      if (change === 'reminder') return 'Reminded';
      return `Escalated${escalatedTo ? ` to ${audienceNames(escalatedTo)}` : ''}`;
    }
  }
}

export function endText({ reason, message }: TurnEnd): string {
  const text = message === undefined ? '' : escapeInvisible(message);
  if (reason === 'interrupted') return text || 'Stopped';
  return text || (reason === 'error' ? 'The turn failed' : '');
}
