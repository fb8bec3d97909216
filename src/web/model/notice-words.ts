/** What happened to a session beside what was said in it, in one sentence each. */
import type { NoticeBlock, TurnEnd } from '../../client/timeline/index.ts';
import { escapeInvisible } from './escapes.ts';
import { MODE_WORDS } from './modes.ts';

export function noticeText({ event }: NoticeBlock): string {
  switch (event.type) {
    case 'session_updated': {
      const { permissionMode, ruleAdded, by } = event.payload;
      const who = escapeInvisible(by.subject);
      if (permissionMode !== undefined)
        return `${who} set the mode to “${MODE_WORDS[permissionMode].name}”`;
      if (ruleAdded !== undefined)
        return `${who} allowed ${escapeInvisible(ruleAdded.toolName)} for this session`;
      return `${who} took back a rule of this session`;
    }
    case 'session_status':
      return escapeInvisible(event.payload.message ?? '') || 'The session was deleted';
    case 'context_cleared':
      return `${escapeInvisible(event.payload.by.subject)} cleared the context: the agent begins anew`;
    case 'history_imported':
      return `${event.payload.entries} entries were imported from ${escapeInvisible(event.payload.provider)}`;
  }
}

export function endText({ reason, message }: TurnEnd): string {
  const said = message === undefined ? '' : escapeInvisible(message);
  if (reason === 'interrupted') return said || 'Stopped';
  return said || (reason === 'error' ? 'The turn failed' : '');
}
