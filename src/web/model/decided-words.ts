/** The words for a call that was decided without asking a person. */
import type { ToolBlock } from '../../client/timeline/index.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { Rule } from '../../protocol/types.ts';
import { t } from './language.ts';
import { makerName } from './names.ts';
import { modeName } from './session-words.ts';

/** A rule of the session that still counts. */
export type ShownRule = Pick<Rule, 'createdBy'> & { readonly pattern: string };

/** Who decided a call without asking a person. An undefined `rule` was revoked since. */
export function decidedWords(
  decided: NonNullable<ToolBlock['decided']>,
  rule: ShownRule | undefined,
  me: string,
): string {
  const decision = decided.behavior === 'allow' ? t('Allowed') : t('Denied');
  if (!('rule' in decided.by))
    return t('{decision} by the mode “{mode}”', {
      decision,
      mode: modeName(decided.by.mode),
    });
  const { createdBy, pattern, scope } = { ...decided.by, ...rule };
  const isGone = rule === undefined && scope !== 'workspace';
  if (pattern === undefined || createdBy === undefined) {
    return t('{decision} by a rule that was revoked since', { decision });
  }
  const values = {
    decision,
    pattern: escapeInvisible(pattern),
    name: createdBy === me ? t('you') : makerName(createdBy, scope),
  };
  if (isGone) return t('{decision} by rule {pattern}, made by {name}, revoked since', values);
  return scope === 'workspace'
    ? t('{decision} by rule {pattern} of the workspace, made by {name}', values)
    : t('{decision} by rule {pattern}, made by {name}', values);
}
