/**
 * Interactions of people in Slack: verified, read into answers, and acknowledged within the three seconds that Slack waits.
 *
 * The session decides about an answer as about any other, and its refusal becomes a sentence that only the person sees. An
 * answer that succeeds shows in the message, which the delivery of the outcome rewrites; nothing is rewritten here, so
 * that the message says the same wherever the answer came from.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from '../../../protocol/schema/zod.ts';
import { type Rejection, reject } from '../../../protocol/errors.ts';
import { type JsonObject, parseJson } from '../../../protocol/json.ts';
import type { SettingsOf } from '../surface-settings.ts';
import type {
  AnswerResult,
  ForwardedMessage,
  ReceivingPorts,
  SurfaceMessage,
  SurfaceMessageReply,
  SurfaceTarget,
} from '../surface.ts';
import { isSameText } from '../../../core/same-text.ts';
import { LIMITS } from '../../../protocol/limits.ts';
import {
  type AnsweredRequest,
  readAction,
  readButtonValue,
  readChoiceIndex,
  type SlackAction,
  type DialogAction,
  dialogFor,
  readDialogAnswer,
  readDialogContext,
  refusalDialog,
} from './slack-dialog.ts';
import { callSlack, isResponseUrl } from './slack-api.ts';
import { choiceAnswer } from './slack-choices.ts';
import { formErrors } from './slack-form.ts';
import { type InputErrors, InputValues } from './slack-inputs.ts';
import { readShownRequest, type SlackRequest } from './slack-request.ts';
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

const SIGNED_AT = /^[1-9]\d{0,11}$/;
/** A header that was sent twice arrives joined by a comma, which no signature holds. */
const SIGNATURE = /^v0=[0-9a-f]{64}$/;

/**
 * The signature with which Slack sends what people do: HMAC-SHA256 of `v0:timestamp:body` under the signing secret.
 *
 * The problem with the message; undefined if the holder of the secret signed it less than five minutes ago.
 */
function slackSignatureProblem(
  secret: string,
  { headers, body }: SurfaceMessage,
  now: number,
): string | undefined {
  const timestamp = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (timestamp === undefined || !SIGNED_AT.test(timestamp)) {
    return 'The header X-Slack-Request-Timestamp is missing or malformed';
  }
  if (signature === undefined || !SIGNATURE.test(signature)) {
    return 'The header X-Slack-Signature is missing or malformed';
  }
  if (Math.abs(now - Number(timestamp) * 1_000) > LIMITS.messageAgeMs) {
    return 'The message is too old, or of the future';
  }
  const mac = hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`v0:${timestamp}:${body}`));
  return isSameText(signature, `v0=${bytesToHex(mac)}`)
    ? undefined
    : 'The signature is not one of this target';
}

const Id = z.string().regex(/^[A-Z][A-Z0-9]{1,31}$/);
const User = z.object({ id: Id, team_id: Id.nullish() });
const Team = z.object({ id: Id }).nullish();
/** The enterprise stands in the place of the team where an app is installed for a whole organization. */
const Enterprise = z.object({ id: Id }).nullish();

const ButtonPayload = z.object({
  type: z.literal('block_actions'),
  user: User,
  team: Team,
  enterprise: Enterprise,
  trigger_id: z.string().max(500).optional(),
  response_url: z.string().max(2_000).optional(),
  channel: z.object({ id: Id }).optional(),
  actions: z
    .array(z.object({ action_id: z.string(), value: z.string().optional() }))
    .min(1)
    .max(100),
});
type ButtonPayload = z.infer<typeof ButtonPayload>;

const DialogPayload = z.object({
  type: z.literal('view_submission'),
  user: User,
  team: Team,
  enterprise: Enterprise,
  view: z.object({
    callback_id: z.string(),
    private_metadata: z.string(),
    state: z.object({ values: InputValues }),
  }),
});
type DialogPayload = z.infer<typeof DialogPayload>;

/** What answers nothing, such as a dialog that was closed. */
const OtherPayload = z.object({ type: z.string() });

type SlackPayload = ButtonPayload | DialogPayload | { readonly type: 'other' };

/** Undefined for what is not a payload of Slack. */
function readPayload(body: string): SlackPayload | undefined {
  const text = new URLSearchParams(body).get('payload');
  const parsed = text === null ? undefined : parseJson(text);
  if (parsed?.ok !== true) return undefined;
  const read = z.union([ButtonPayload, DialogPayload]).safeParse(parsed.value);
  if (read.success) return read.data;
  const other = OtherPayload.safeParse(parsed.value).data;
  const isKnown = other?.type === 'block_actions' || other?.type === 'view_submission';
  return other === undefined || isKnown ? undefined : { type: 'other' };
}

/**
 * The person's name in the log, unless the settings of the target have one. A bare user id says nothing about people of
 * other teams, who are in shared channels: it counts for the team of the app, or in its organization, and where the message
 * names neither, for no one.
 */
function subjectOf(
  { user, team, enterprise }: Pick<ButtonPayload, 'user' | 'team' | 'enterprise'>,
  people: Readonly<Record<string, string>> = {},
): string {
  const teamId = user.team_id ?? team?.id;
  const full = `${teamId ?? 'unknown'}/${user.id}`;
  if (Object.hasOwn(people, full)) return people[full] ?? full;
  const isOwn = teamId !== undefined && teamId === (team?.id ?? enterprise?.id);
  const known = isOwn && Object.hasOwn(people, user.id) ? people[user.id] : undefined;
  return known ?? `slack:${full}`;
}
