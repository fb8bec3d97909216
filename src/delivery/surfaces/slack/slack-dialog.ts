/** Dialogs (modal views) of Slack: for a reason, for words on a plan, for questions and forms, and for a refusal. */
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { FEEDBACK_CHARS, REASON_CHARS } from '../../../protocol/limits.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import {
  type AnsweredRequest,
  buttonValue,
  readButtonValue,
  type SlackAction,
} from './slack-action.ts';
import { formBlocks, readDialogForm } from './slack-form.ts';
import { type InputErrors, type InputValues, readTyped } from './slack-inputs.ts';
import { questionBlocks, readQuestionAnswers } from './slack-questions.ts';
import type { SlackRequest } from './slack-request.ts';
import { plainText, SLACK_LIMITS } from './slack-text.ts';

/** What a dialog sends back with its inputs. */
export interface DialogContext extends AnsweredRequest {
  /** Where the person presses the button, for a sentence that comes after the dialog has closed. */
  readonly channel: string;
}

export type DialogAction = Extract<SlackAction, 'deny' | 'decline' | 'adjust' | 'answer'>;

export function dialogFor(
  action: DialogAction,
  shown: SlackRequest,
  context: DialogContext,
): ModalView | undefined {
  const fields = dialogFields(action, shown);
  if (fields === undefined) return undefined;
  const { title, submit, blocks } = fields;
  return {
    type: 'modal',
    callback_id: `holdpoint.${action}`,
    private_metadata: `${buttonValue(context)}|${context.channel}`,
    title: plainText(title, SLACK_LIMITS.viewTitle),
    submit: plainText(submit, SLACK_LIMITS.viewTitle),
    close: plainText('Back', SLACK_LIMITS.viewTitle),
    blocks,
  };
}

export function readDialogContext(metadata: string): DialogContext | undefined {
  const [value = '', channel = ''] = metadata.split('|');
  const request = readButtonValue(value);
  return request === undefined ? undefined : { ...request, channel };
}

interface DialogFields {
  readonly title: string;
  readonly submit: string;
  readonly blocks: KnownBlock[];
}

/** Undefined for an action that the kind of the request does not have. */
function dialogFields(action: DialogAction, shown: SlackRequest): DialogFields | undefined {
  switch (action) {
    case 'deny':
      return { title: 'Deny', submit: 'Deny', blocks: [textInput('Reason', REASON_CHARS, true)] };
    case 'decline':
      return {
        title: 'Decline to answer',
        submit: 'Decline',
        blocks: [textInput('Reason', REASON_CHARS, true)],
      };
    case 'adjust': {
      const max = Math.min(FEEDBACK_CHARS, SLACK_LIMITS.input);
      const blocks = [textInput('What should change in the plan?', max, false)];
      return { title: 'Request changes', submit: 'Send', blocks };
    }
    case 'answer':
      if (shown.kind === 'question') {
        return { title: 'Answer', submit: 'Send', blocks: questionBlocks(shown.request) };
      }
      if (shown.kind !== 'form') return undefined;
      return { title: 'Fill in', submit: 'Send', blocks: formBlocks(shown.request) };
  }
}

const TEXT_ID = 'text';

function textInput(label: string, max: number, optional: boolean): InputBlock {
  return {
    type: 'input',
    block_id: TEXT_ID,
    optional,
    label: plainText(label, SLACK_LIMITS.label),
    element: { type: 'plain_text_input', action_id: 'value', multiline: true, max_length: max },
  };
}

export type DialogAnswer =
  | { readonly answer: JsonObject }
  /** Sentences at the inputs. */
  | { readonly errors: InputErrors };

export function readDialogAnswer(
  action: DialogAction,
  shown: SlackRequest,
  { values, isoTime }: { readonly values: InputValues; readonly isoTime: (at: number) => string },
): DialogAnswer | undefined {
  const text = readTyped(values, TEXT_ID)?.trim() ?? '';
  const reason = text === '' ? {} : { reason: text };
  switch (action) {
    case 'deny':
      return { answer: { decision: 'deny', ...reason } };
    case 'decline':
      return { answer: { decline: true, ...reason } };
    case 'adjust':
      return text === ''
        ? { errors: { [TEXT_ID]: 'Write what should change.' } }
        : { answer: { decision: 'adjust', feedback: text } };
    case 'answer':
      if (shown.kind === 'question') return readQuestionAnswers(shown.request, values);
      if (shown.kind !== 'form') return undefined;
      return { answer: readDialogForm(shown.request, values, isoTime) };
  }
}

/** In the place of a dialog whose answer was refused. */
export function refusalDialog(sentence: string): ModalView {
  return {
    type: 'modal',
    title: plainText('Not sent', SLACK_LIMITS.viewTitle),
    close: plainText('Close', SLACK_LIMITS.viewTitle),
    blocks: [{ type: 'section', text: plainText(sentence, SLACK_LIMITS.section) }],
  };
}
