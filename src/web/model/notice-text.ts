/** The words for a change of a session that stands between its messages. */
import type { NoticeBlock } from '../../client/timeline/index.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { audienceNames } from './audience.ts';
import { t } from './language.ts';
import { personName } from './names.ts';
import { modeName } from './session-words.ts';

/** What happened in a session beside its messages and answers. */
export function noticeText({ event }: NoticeBlock): string {
  switch (event.type) {
    case 'session_updated': {
      const { permissionMode, ruleAdded, by } = event.payload;
      const who = personName(by);
      if (permissionMode !== undefined)
        return t('{who} set the mode to “{mode}”', { who, mode: modeName(permissionMode) });
      if (ruleAdded !== undefined)
        return t('{who} allowed {tool} for this session', {
          who,
          tool: escapeInvisible(ruleAdded.toolName),
        });
      return t('{who} revoked a rule of this session', { who });
    }
    case 'session_status':
      return escapeInvisible(event.payload.message ?? '') || t('The session was deleted');
    case 'context_cleared':
      return t('{who} cleared the context: the agent starts over', {
        who: personName(event.payload.by),
      });
    case 'interaction_update': {
      const { change, escalatedTo } = event.payload;
      if (change === 'reminder') return t('Reminded');
      return escalatedTo
        ? t('Escalated to {names}', { names: audienceNames(escalatedTo) })
        : t('Escalated');
    }
  }
}
