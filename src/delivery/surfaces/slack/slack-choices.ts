/**
 * The choices of an approval in a message of Slack: a list that says what each one does, and a button for each.
 *
 * A label is text of the agent, and a button of Slack shows 75 characters: with a longer label there are no buttons at all,
 * because half of the choices would be a choice that the agent did not offer. A rule is confirmed in a second step.
 */
import type { Button, KnownBlock } from '@slack/types';
import { type ApprovalChoice, effectOfChoice } from '../../../protocol/approval-choices.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import type { SlackAction } from './slack-dialog.ts';
import type { SlackRequest } from './slack-request.ts';
import { isWhole, plainText, SLACK_LIMITS } from './slack-text.ts';

/** `action` as a number is the place of a choice. */
export type MakeButton = (
  action: SlackAction | number,
  words: string,
  style?: 'primary' | 'danger',
) => Button;

interface DescribedChoices {
  readonly blocks: readonly KnownBlock[];
  /** None: they cannot be chosen here. */
  readonly buttons: readonly Button[];
}

const CONFIRM_CHARS = 300;

export function describeChoices(
  choices: readonly ApprovalChoice[],
  toolName: string,
  button: MakeButton,
): DescribedChoices {
  const lines = choices.map(
    (choice) => `• ${onOneLine(choice.label)}: ${effectOfChoice(choice, toolName)}`,
  );
  const text = lines.join('\n');
  const list: KnownBlock = { type: 'section', text: plainText(text, SLACK_LIMITS.section) };
  const areWhole =
    isWhole(text, SLACK_LIMITS.section) &&
    choices.every(({ label }) => isWhole(onOneLine(label), SLACK_LIMITS.buttonText));
  if (!areWhole) return { blocks: [list], buttons: [] };
  const buttons = choices.map((choice, index) => ({
    ...button(index, onOneLine(choice.label), styleOf(choice)),
    ...confirmOf(choice, toolName),
  }));
  const canDeny = choices.some(({ decision }) => decision === 'deny');
  return {
    blocks: [list],
    buttons: canDeny ? buttons : [...buttons, button('deny', 'Deny…', 'danger')],
  };
}

/** A choice that denies never looks like one that approves. */
function styleOf({ tone, decision }: ApprovalChoice): 'primary' | 'danger' | undefined {
  if (tone === 'danger') return tone;
  return tone === 'primary' && decision === 'approve' ? tone : undefined;
}

function confirmOf(choice: ApprovalChoice, toolName: string): Pick<Button, 'confirm'> {
  if (choice.remember === undefined) return {};
  return {
    confirm: {
      title: plainText('Allow for this session?', SLACK_LIMITS.label),
      text: plainText(effectOfChoice(choice, toolName), CONFIRM_CHARS),
      confirm: plainText('Allow', SLACK_LIMITS.viewTitle),
      deny: plainText('Back', SLACK_LIMITS.viewTitle),
    },
  };
}

/** Undefined for a choice that the request does not offer. */
export function choiceAnswer(shown: SlackRequest, index: number): JsonObject | undefined {
  const choice = shown.kind === 'approval' ? shown.request.choices?.[index] : undefined;
  return choice && { choice: choice.id };
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
