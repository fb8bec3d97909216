import { escapeInvisible } from '../../../protocol/escapes.ts';
import type { Interaction, JsonObject } from '../../../protocol/types.ts';
import { t } from '../../model/language.ts';
import { JsonView } from '../../ui/literal.tsx';
import { AgentExplanation } from '../parts/agent-explanation.tsx';

interface SettledApprovalProps {
  readonly record: Interaction;
  readonly input: JsonObject;
  readonly words: string | undefined;
}

export function SettledApproval({ record, input, words }: SettledApprovalProps) {
  const { toolName, reason, updatedInput, outcome } = record;
  const isEdited =
    outcome === 'approved' &&
    updatedInput !== undefined &&
    JSON.stringify(updatedInput) !== JSON.stringify(input);
  return (
    <>
      {reason !== undefined && (
        <p class="given-reason" dir="auto">
          {escapeInvisible(reason)}
        </p>
      )}
      <details class="card-more">
        <summary>{isEdited ? t('Approved with edits') : t('Show the input')}</summary>
        {isEdited && (
          <JsonView
            value={updatedInput}
            label={t('Input of {tool}, as approved', { tool: toolName })}
          />
        )}
        {isEdited && <p class="card-hint">{t('Asked for')}</p>}
        <JsonView value={input} label={t('Input of {tool}', { tool: toolName })} />
        {words !== undefined && <AgentExplanation text={words} />}
      </details>
    </>
  );
}
