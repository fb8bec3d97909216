/** What a choice of an approval does, in the language of the screen; `effectOfChoice` says the same in English elsewhere. */
import type { ApprovalChoice } from '../../../protocol/approval-choices.ts';
import { t } from '../language.ts';

export function choiceEffect(
  { decision, remember, stop }: ApprovalChoice,
  toolName: string,
): string {
  if (decision === 'deny') {
    return stop === true
      ? t('Denies this call and stops the agent’s turn.')
      : t('Denies this call.');
  }
  if (remember === 'exact') {
    return t('Approves this call, and the same input for the rest of this session.');
  }
  return remember === 'tool'
    ? t('Approves this call, and every {toolName} call for the rest of this session.', { toolName })
    : t('Approves this call.');
}
