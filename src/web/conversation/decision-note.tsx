import type { ToolBlock } from '../../client/timeline/index.ts';
import { useAsyncAction } from '../hooks/use-async-action.ts';
import { visibleText } from '../model/escapes.ts';
import { decidedWords } from '../model/tool-words.ts';
import type { CardContext } from './card-context.ts';
import { FailureNote } from '../ui/failure-note.tsx';

interface DecisionNoteProps {
  readonly block: ToolBlock;
  readonly context: CardContext;
}

/** Why a call was decided without a person, and a button to revoke the rule that allowed it. */
export function DecisionNote({ block: { call, decided }, context }: DecisionNoteProps) {
  const { isBusy, failure, run } = useAsyncAction();
  const { session, transport, rules, me, canAnswer, isAnswerable } = context;
  if (decided === undefined) return null;
  const ruleId = 'rule' in decided.by ? decided.by.rule : undefined;
  const rule = rules.find(({ id }) => id === ruleId);
  return (
    <div class="decided">
      <span>{decidedWords(decided, rule, me.subject)}</span>
      {rule !== undefined && canAnswer && (
        <button
          type="button"
          class="link"
          disabled={isBusy || !isAnswerable}
          aria-label={`Revoke the rule for ${visibleText(call.toolName)}`}
          onClick={() => void run(() => transport.revokeRule(session.id, rule.id))}
        >
          Revoke
        </button>
      )}
      <FailureNote text={failure} />
    </div>
  );
}
