import type { Interaction, JsonObject } from '../../../protocol/types.ts';
import { wasEdited } from '../../model/cards/was-edited.ts';
import { t } from '../../model/language.ts';
import { InputChanges } from '../input/input-changes.tsx';
import { InputView } from '../input/input-view.tsx';
import { AgentExplanation } from '../parts/agent-explanation.tsx';

interface SettledInputProps {
  readonly record: Interaction;
  readonly input: JsonObject;
  /** The explanation of the agent. */
  readonly words: string | undefined;
}

/** What was decided on, in the same views as before the decision: the input as approved, and what a person changed of it. */
export function SettledInput({ record, input, words }: SettledInputProps) {
  const { toolName, updatedInput } = record;
  const isEdited = wasEdited(record) && updatedInput !== undefined;
  return (
    <div class="settled-input">
      {isEdited ? (
        <>
          <InputView
            toolName={toolName}
            input={updatedInput}
            label={t('Input of {tool}, as approved', { tool: toolName })}
          />
          <InputChanges before={input} after={updatedInput} title={t('Changed before approval')} />
        </>
      ) : (
        <InputView
          toolName={toolName}
          input={input}
          label={t('Input of {tool}', { tool: toolName })}
        />
      )}
      {words !== undefined && <AgentExplanation text={words} />}
    </div>
  );
}
