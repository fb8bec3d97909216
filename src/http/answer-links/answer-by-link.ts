/**
 * An answer by a link, and the page after it. The session decides, as about every answer; decided here is only what a form
 * stands for, and whether the link may be used for it.
 */
import { callerOfLink, rejectLinkAnswer } from '../../core/answer-links/answer-link.ts';
import { ERRORS, type Rejection, reject } from '../../protocol/errors.ts';
import { isObject, type JsonObject } from '../../protocol/types.ts';
import type { AnswerByLink } from '../../protocol/schema/answer-link.ts';
import { commandContext } from '../read-call.ts';
import type { HttpPorts } from '../ports.ts';
import { failureRejection } from '../rejection-response.ts';
import type { RouteCall } from '../route.ts';
import { findNewest, type Linked, LINK_READER } from './find-linked.ts';
import {
  handedOverPage,
  isHandedOver,
  openPage,
  readSentAnswer,
  rejectUnread,
  settledPage,
} from './request-page.ts';
import { type Page, refusalPage } from './page.ts';
import { type FormErrors, readSentForm, sentDigest, type SentForm } from './sent-form.ts';

/** With a form the body is empty. */
type AnswerCall = Pick<
  RouteCall<unknown, unknown, Partial<AnswerByLink>>,
  'form' | 'body' | 'ports'
>;

interface GivenAnswer {
  readonly result: { readonly ok: true; readonly json: string } | Rejection;
  readonly sent?: SentForm;
  readonly errors?: FormErrors;
}

/** An answer by form or as JSON; what is wrong with a form stands at its fields. */
export async function answerByLink(call: AnswerCall, linked: Linked): Promise<GivenAnswer> {
  const { form, body, ports } = call;
  const { link, record } = linked;
  if (form === undefined) {
    const { answer = {}, inputDigest = answer.inputDigest, read } = body;
    const unread = read === true ? undefined : rejectUnread(record, answer);
    if (unread !== undefined) return { result: unread };
    return {
      result: await give(ports, linked, {
        ...answer,
        inputDigest: inputDigest ?? link.inputDigest,
      }),
    };
  }
  const sent = readSentForm(form);
  if (sent === undefined) {
    return { result: reject('invalid_request', 'Send the form as it is on the page of the link') };
  }
  const read = readSentAnswer(record, sent);
  if (!read.ok && record.status === 'open') {
    return {
      result: reject('invalid_values', 'Something is missing'),
      sent,
      errors: read.errors,
    };
  }
  // Also to a settled request: only the session knows whether this repeats the answer that settled it.
  const answer = read.ok ? read.answer : {};
  const result = await give(ports, linked, { ...answer, inputDigest: sentDigest(sent) });
  return { result, sent, ...(!result.ok && { errors: errorsOf(result) }) };
}

async function give(
  ports: HttpPorts,
  { link, session, record }: Linked,
  answer: JsonObject,
): Promise<GivenAnswer['result']> {
  const { inputDigest: _digest, ...content } = answer;
  const unlike = record.status === 'open' ? rejectLinkAnswer(link, record, content) : undefined;
  if (unlike !== undefined) return unlike;
  const policy = await ports.policy.get(link.workspace);
  const context = commandContext(callerOfLink(link), policy, ports.config);
  const target = { interactionId: link.interactionId };
  return session.handle({ type: 'interaction.answer', target, answer }, context);
}

function errorsOf({ message, details }: Rejection): FormErrors {
  const fieldErrors = details?.fieldErrors;
  return isObject(fieldErrors) ? (fieldErrors as Record<string, string>) : { '': message };
}

/** The page after a form was sent: how it was settled, or the form again with what was typed. */
async function pageAfter(
  ports: HttpPorts,
  linked: Linked,
  { result, sent, errors = {} }: GivenAnswer,
): Promise<Page> {
  const { link, session } = linked;
  const read = await session.interaction(link.interactionId, LINK_READER);
  if (!read.ok) return refusalPage(read);
  const record = read.value;
  if (record.status === 'open' && (await isHandedOver({ ...linked, record }, ports))) {
    return handedOverPage(link, record, ERRORS.forbidden.status);
  }
  if (record.status === 'open') {
    const status = result.ok ? 200 : ERRORS[result.code].status;
    return openPage(link, record, { sent, errors, status });
  }
  const isOwn = result.ok || result.details?.yours === true;
  const newest = await findNewest({ ...linked, record });
  return settledPage(link, record, {
    status: isOwn ? 200 : ERRORS.already_settled.status,
    isOwn,
    newest,
  });
}

/** A failure, too, leaves the page with what was typed: a person would not write it twice. */
export async function answerWithPage(call: AnswerCall, linked: Linked): Promise<Page> {
  try {
    return await pageAfter(call.ports, linked, await answerByLink(call, linked));
  } catch (cause) {
    call.ports.warn('An answer by a link failed', cause);
    const failure = failureRejection(cause);
    const sent = call.form && readSentForm(call.form);
    const errors = { '': `${failure.message} What you typed is still here.` };
    return openPage(linked.link, linked.record, {
      sent,
      errors,
      status: ERRORS[failure.code].status,
    });
  }
}
