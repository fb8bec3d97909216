import { useState } from 'preact/hooks';
import type { ToolBlock } from '../../client/timeline/index.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { describePattern } from '../../protocol/rule-words.ts';
import type { CardContext } from '../cards/card-props.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { decidedWords } from '../model/decided-words.ts';
import { t } from '../model/language.ts';
import { hasScope } from '../model/person.ts';

interface DecisionNoteProps extends Pick<ToolBlock, 'call'> {
  readonly decided: NonNullable<ToolBlock['decided']>;
  readonly context: CardContext;
}

/** Why a call was decided without a person, and a button to revoke the rule that allowed it. */
export function DecisionNote({ call, decided, context }: DecisionNoteProps) {
  const { isBusy, failure, run } = useAsyncAction();
  const { session, transport, rules, me, canAnswer, isAnswerable } = context;
  const ruleId = 'rule' in decided.by ? decided.by.rule : undefined;
  const rule = rules.find(({ id }) => id === ruleId);
  const [isRevoked, setRevoked] = useState(false);
  const isShared = 'rule' in decided.by && decided.by.scope === 'workspace' && ruleId !== undefined;
  const mayRevoke = isShared
    ? hasScope(me, 'admin') && !isRevoked
    : rule !== undefined && canAnswer;
  const revoke = async () => {
    if (ruleId === undefined) return;
    if (!isShared) return transport.revokeRule(session.id, ruleId);
    await transport.revokeWorkspaceRule(ruleId);
    setRevoked(true);
  };
  return (
    <>
      <span>
        {decidedWords(decided, rule && { ...rule, pattern: describePattern(rule) }, me.subject)}
      </span>
      {isRevoked && <span>{t('Revoked')}</span>}
      {mayRevoke && (
        <button
          type="button"
          class="link"
          disabled={isBusy || !isAnswerable}
          aria-label={t('Revoke the rule for {toolName}', { toolName: visibleText(call.toolName) })}
          onClick={() => void run(revoke)}
        >
          {t('Revoke')}
        </button>
      )}
      <FailureNote text={failure} />
    </>
  );
}
