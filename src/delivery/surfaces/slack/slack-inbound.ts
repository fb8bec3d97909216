/**
 * Interactions of people in Slack: verified, read into answers, and acknowledged within the three seconds that Slack waits.
 *
 * The session decides about an answer as about any other, and its refusal becomes a sentence that only the person sees. An
 * answer that succeeds shows in the message, which the delivery of the outcome rewrites; nothing is rewritten here, so
 * that the message says the same wherever the answer came from.
 */
import { type Rejection, reject } from '../../../protocol/errors.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import type { SettingsOf } from '../surface-settings.ts';
import type {
  AnswerResult,
  ForwardedMessage,
  ReceivingPorts,
  SurfaceMessage,
  SurfaceMessageReply,
  SurfaceTarget,
} from '../surface.ts';
import {
  type AnsweredRequest,
  readAction,
  readButtonValue,
  readChoiceIndex,
  type SlackAction,
} from './slack-action.ts';
import { callSlack, isResponseUrl } from './slack-api.ts';
import {
  type DialogAction,
  dialogFor,
  readDialogAnswer,
  readDialogContext,
  refusalDialog,
} from './slack-dialog.ts';
import { choiceAnswer } from './slack-choices.ts';
import { formErrors } from './slack-form.ts';
import type { InputErrors } from './slack-inputs.ts';
import { type ButtonPayload, type DialogPayload, readPayload, subjectOf } from './slack-payload.ts';
import { readShownRequest, type SlackRequest } from './slack-request.ts';
import { slackSignatureProblem } from './slack-signature.ts';
import { escapeMarkdown } from './slack-text.ts';

interface SlackCall {
  readonly target: SurfaceTarget<SettingsOf<'slack'>>;
  readonly ports: ReceivingPorts;
}

/** Slack waits three seconds, some of which the network takes. */
const ACKNOWLEDGE_MS = 2_000;
const ACKNOWLEDGED: SurfaceMessageReply = { status: 200, text: '' };
const NOT_OURS = reject('invalid_request', 'payload: not an interaction of Slack', {
  issues: [{ path: 'payload', message: 'not an interaction of Slack' }],
});
const TARGET_DISABLED = 'This target is disabled, so nothing can be answered here.';
const NO_LONGER_KNOWN = 'This request is no longer known here. Answer it in the chat.';

export async function receiveFromSlack(
  target: SurfaceTarget<SettingsOf<'slack'>>,
  message: SurfaceMessage,
  ports: ReceivingPorts,
): Promise<SurfaceMessageReply | ForwardedMessage | Rejection> {
  const problem = slackSignatureProblem(target.settings.signingSecret, message, ports.now());
  if (problem !== undefined) return reject('unauthenticated', problem);
  const payload = readPayload(message.body);
  if (payload === undefined) return NOT_OURS;
  if (payload.type === 'other') return ACKNOWLEDGED;
  const deliveryId = deliveryIdOf(payload);
  // One app of Slack has one address for all its channels, each of which may be a target of its own.
  if (deliveryId !== undefined && !ports.isOwn(deliveryId)) return { forwardTo: deliveryId };
  // Slack sends an interaction once. What comes again is a copy, and has had its response.
  if (!ports.addReceived(message.headers['x-slack-signature'] ?? '')) return ACKNOWLEDGED;
  return payload.type === 'block_actions'
    ? receiveButton({ target, ports }, payload)
    : receiveDialog({ target, ports }, payload);
}

function deliveryIdOf(payload: ButtonPayload | DialogPayload): string | undefined {
  return payload.type === 'block_actions'
    ? readButtonValue(payload.actions[0]?.value ?? '')?.deliveryId
    : readDialogContext(payload.view.private_metadata)?.deliveryId;
}

async function receiveButton(
  { target, ports }: SlackCall,
  payload: ButtonPayload,
): Promise<SurfaceMessageReply> {
  const [pressed] = payload.actions;
  const actionId = pressed?.action_id ?? '';
  const action = readAction(actionId) ?? readChoiceIndex(actionId);
  // A link, which the person's browser opens.
  if (action === undefined || action === 'open') return ACKNOWLEDGED;
  const respond = async (sentence: string | undefined) => {
    if (sentence !== undefined) await sayTo({ target, ports }, payload, sentence);
  };
  const asked = readButtonValue(pressed?.value ?? '');
  const work = pressButton({ target, ports }, { action, asked, payload }).then(respond);
  // The rest goes on after the response, and says by itself what went wrong.
  await ports.within(ACKNOWLEDGE_MS, work);
  return ACKNOWLEDGED;
}

/** Resolves with a sentence for the person, if there is something to say. */
async function pressButton(
  { target, ports }: SlackCall,
  {
    action,
    asked,
    payload,
  }: {
    /** A number is the place of a choice. */
    readonly action: Exclude<SlackAction, 'open'> | number;
    readonly asked: AnsweredRequest | undefined;
    readonly payload: ButtonPayload;
  },
): Promise<string | undefined> {
  if (!ports.isEnabled) return TARGET_DISABLED;
  const found = asked && ports.findRequested(asked.deliveryId);
  if (asked === undefined || found === undefined) return NO_LONGER_KNOWN;
  const shown = readShownRequest(found.requested);
  const answer =
    typeof action === 'number' ? choiceAnswer(shown, action) : slackAnswerOf(action, shown);
  if (answer !== undefined) {
    const subject = subjectOf(payload, target.settings.people);
    return sentenceOf(await ports.answer({ ...asked, answer, subject }));
  }
  const channel = payload.channel?.id ?? target.settings.channel;
  const view =
    typeof action !== 'number' && isDialogAction(action)
      ? dialogFor(action, shown, { ...asked, channel })
      : undefined;
  if (view === undefined || payload.trigger_id === undefined) return NO_LONGER_KNOWN;
  const content = { trigger_id: payload.trigger_id, view };
  const opened = await callSlack(ports, target.settings, 'views.open', content);
  return opened.ok ? undefined : 'The dialog could not be opened. Press the button again.';
}

/** What a button answers by itself; undefined for one that opens a dialog. */
function slackAnswerOf(action: SlackAction, shown: SlackRequest): JsonObject | undefined {
  switch (action) {
    case 'approve': {
      const offers = shown.kind === 'approval' ? (shown.request.offers ?? ['once']) : ['once'];
      return {
        decision: 'approve',
        ...(!offers.includes('once') && { offer: 'session', exact: true }),
      };
    }
    case 'edit':
    case 'clean_edit':
    case 'default':
      return { decision: action };
    default:
      return undefined;
  }
}

function isDialogAction(action: SlackAction): action is DialogAction {
  return DIALOG_ACTIONS.some((one) => one === action);
}

const DIALOG_ACTIONS: readonly DialogAction[] = ['deny', 'decline', 'adjust', 'answer'];

async function receiveDialog(
  { target, ports }: SlackCall,
  payload: DialogPayload,
): Promise<SurfaceMessageReply> {
  const { callback_id: callback, private_metadata: metadata, state } = payload.view;
  const action = readAction(callback);
  const context = readDialogContext(metadata);
  const found = context && ports.findRequested(context.deliveryId);
  if (!ports.isEnabled) return showRefusal(TARGET_DISABLED);
  if (action === undefined || !isDialogAction(action) || context === undefined || !found) {
    return showRefusal(NO_LONGER_KNOWN);
  }
  const shown = readShownRequest(found.requested);
  const read = readDialogAnswer(action, shown, { values: state.values, isoTime: ports.isoTime });
  if (read === undefined) return showRefusal(NO_LONGER_KNOWN);
  if ('errors' in read) return showErrors(read.errors);
  const { channel, ...asked } = context;
  const subject = subjectOf(payload, target.settings.people);
  const answering = ports.answer({ ...asked, answer: read.answer, subject });
  let isLate = false;
  const work = answering.then(async (result) => {
    const sentence = sentenceOf(result);
    if (isLate && sentence !== undefined) {
      const content = { channel, user: payload.user.id, text: escapeMarkdown(sentence) };
      await callSlack(ports, target.settings, 'chat.postEphemeral', content);
    }
    return result;
  });
  const result = await ports.within(ACKNOWLEDGE_MS, work);
  isLate = true;
  // An acknowledgment closes the dialog.
  if (result === undefined || result.ok) return ACKNOWLEDGED;
  const fieldErrors = shown.kind === 'form' ? result.details?.['fieldErrors'] : undefined;
  const errors =
    shown.kind === 'form' && fieldErrors
      ? formErrors(shown.request, fieldErrors as InputErrors)
      : {};
  return Object.keys(errors).length > 0 ? showErrors(errors) : showRefusal(sentenceOf(result));
}

function showErrors(errors: InputErrors): SurfaceMessageReply {
  return { status: 200, text: JSON.stringify({ response_action: 'errors', errors }) };
}

function showRefusal(sentence = NO_LONGER_KNOWN): SurfaceMessageReply {
  const content = { response_action: 'update', view: refusalDialog(sentence) };
  return { status: 200, text: JSON.stringify(content) };
}

function sentenceOf(result: AnswerResult): string | undefined {
  return result.ok ? undefined : `Not sent: ${result.message}`;
}

/** Only the person who pressed the button sees it. */
async function sayTo(
  { target: { settings }, ports }: SlackCall,
  { response_url: url, channel, user }: ButtonPayload,
  sentence: string,
): Promise<void> {
  const text = escapeMarkdown(sentence);
  if (url !== undefined && isResponseUrl(settings, url)) {
    const body = JSON.stringify({ response_type: 'ephemeral', replace_original: false, text });
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    await ports.send({ url, headers, body });
    return;
  }
  const content = { channel: channel?.id ?? settings.channel, user: user.id, text };
  await callSlack(ports, settings, 'chat.postEphemeral', content);
}
