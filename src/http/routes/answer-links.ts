/**
 * Answer links: one route makes them, and the address of a link shows its request and takes its answer.
 *
 * `GET` and `HEAD` of a link read and never write: scanners of mail and previews of chats open every link. The credential
 * of a link is its token, which `answer-links/find-linked.ts` judges.
 */
import * as z from '../../protocol/schema/zod.ts';
import {
  type AnswerLink,
  callerOfLink,
  chooseLinkAnswers,
  isOwnLink,
  rejectUnprovenLink,
} from '../../core/answer-links/answer-link.ts';
import { COMMAND_SCOPES, rejectSelfApproval } from '../../core/authority.ts';
import { rejectSettled } from '../../core/rejections.ts';
import { mayAct } from '../../protocol/caller.ts';
import type { ErrorCode, Rejection } from '../../protocol/errors.ts';
import {
  AnswerByLink,
  CreateAnswerLink,
  MadeAnswerLink,
} from '../../protocol/schema/answer-link.ts';
import { InteractionView } from '../../protocol/schema/interaction.ts';
import { findLinked, findNewest, LINK_READER } from '../answer-links/find-linked.ts';
import { DOWNLOAD, type Page, pageResponse, refusalPage } from '../answer-links/page.ts';
import { originOf } from '../login/own-origin.ts';
import { InputFile, sendInput } from '../send-input.ts';
import type { HttpPorts } from '../ports.ts';
import { respondInPlace } from '../root-places.ts';
import { ANSWER_CODES, INTERACTIONS_TAG, LINKS_TAG, route, type RouteResult } from '../route.ts';
import { InInteraction } from './params.ts';

const DAY_SECONDS = 24 * 3_600;
const MAX_TOKEN_CHARS = 8_192;

const OfLink = z.strictObject({
  token: z
    .string()
    .max(MAX_TOKEN_CHARS)
    .meta({ description: 'The token of the link.', example: 'hpl_example.signature' }),
});
const AnsweredByLink = z
  .strictObject({ interaction: InteractionView })
  .meta({ id: 'AnsweredByLink' });

const LINK_CODES: readonly ErrorCode[] = [
  ...ANSWER_CODES,
  'forbidden',
  'not_found',
  'link_expired',
  'rate_limited',
  'unavailable',
  'write_failed',
];

/** Most isolates serve no answer link, and start faster without its pages. */
const requestPages = () => import('../answer-links/request-page.ts');
const linkAnswers = () => import('../answer-links/answer-by-link.ts');

async function showPage(page: Page, ports: HttpPorts): Promise<Response> {
  return pageResponse(page, `/assets/${await ports.web.linkStyle()}`);
}

const rejectionPage = (rejection: Rejection, ports: HttpPorts) =>
  showPage(refusalPage(rejection), ports);

export const answerLinkRoutes = [
  route({
    method: 'POST',
    path: '/v1/sessions/:id/interactions/:iid/links',
    operationId: 'createAnswerLink',
    tag: INTERACTIONS_TAG,
    summary: 'Create an answer link: a page that answers this interaction',
    description:
      'The link answers in the name of `subject`, once, for the request as it is now. It ends with its time, with the credential that made it, and when the interaction settles.',
    access: { in: 'session', anyOf: COMMAND_SCOPES['interaction.answer'] },
    params: InInteraction,
    body: CreateAnswerLink,
    responses: { 201: { description: 'The address of the link', schema: MadeAnswerLink } },
    errorCodes: ['already_settled', 'wrong_kind'],
    async handle({ session, params, body, identity, context, ports, request }) {
      const read = await session.interaction(params.iid, LINK_READER);
      if (!read.ok) return read;
      const record = read.value;
      if (record.status === 'settled') return rejectSettled(record);
      const answers = chooseLinkAnswers(record, body.answers);
      if (!answers.ok) return answers;
      const { caller, workspace, chain } = identity;
      const wanted = ports.now() + (body.ttlSeconds ?? DAY_SECONDS) * 1_000;
      const link: AnswerLink = {
        workspace,
        sessionId: params.id,
        interactionId: record.interactionId,
        inputDigest: record.inputDigest,
        subject: body.subject,
        answers: answers.value,
        expiresAt: Math.min(wanted, identity.expiresAt ?? wanted),
        credential: caller.credential,
        ...(caller.key !== undefined && { key: caller.key }),
        ...(caller.root !== undefined && { root: caller.root }),
        ...(mayAct(caller, 'admin') && { isAdmin: true }),
        ...(isOwnLink(caller, body.subject) && { isOwn: true }),
        chain,
      };
      const refused =
        rejectUnprovenLink(link, record) ??
        rejectSelfApproval({ ...context, caller: callerOfLink(link) }, record);
      if (refused !== undefined) return refused;
      const url = `${originOf(request.url)}/links/${ports.answerLinks.write(link)}`;
      return { status: 201, json: { url, expiresAt: link.expiresAt } };
    },
  }),
  route({
    method: 'GET',
    path: '/links/:token',
    operationId: 'showAnswerLink',
    tag: LINKS_TAG,
    summary: 'Show the request of an answer link, as a page',
    description: 'Changes nothing, whoever opens it. The page runs no script.',
    access: 'public',
    params: OfLink,
    query: z.looseObject({
      download: z.string().optional().describe('`input`: the whole input instead, as a file.'),
    }),
    responses: {
      200: { description: 'The request, or how it was settled; or the input', schema: InputFile },
    },
    media: { 'text/html': 'A page for a person.' },
    errorCodes: ['not_found', 'link_expired', 'session_deleted', 'rate_limited'],
    rejectionPage,
    async handle({ ports, params, query, request }): Promise<RouteResult> {
      const linked = await findLinked(ports, params.token);
      if (!linked.ok) return linked;
      const { link, record } = linked;
      if (query.download === DOWNLOAD) {
        const { workspace, sessionId, interactionId } = link;
        const reader = { caller: callerOfLink(link), request };
        return respondInPlace('downloads', reader, (onEnd) =>
          sendInput(() => ports.findSession(workspace, sessionId), interactionId, onEnd),
        );
      }
      const pages = await requestPages();
      if (record.status === 'open') {
        const isOver = await pages.isHandedOver(linked, ports);
        const page = isOver ? pages.handedOverPage(link, record) : pages.openPage(link, record);
        return showPage(page, ports);
      }
      const newest = await findNewest(linked);
      return showPage(pages.settledPage(link, record, { status: 200, newest }), ports);
    },
  }),
  route({
    method: 'POST',
    path: '/links/:token',
    operationId: 'answerByLink',
    tag: LINKS_TAG,
    summary: 'Answer by an answer link, with the form of its page or as JSON',
    access: 'public',
    params: OfLink,
    body: AnswerByLink,
    takesForm: true,
    responses: { 200: { description: 'The answered interaction', schema: AnsweredByLink } },
    media: { 'text/html': 'A page for a person, after a form.' },
    errorCodes: LINK_CODES,
    rejectionPage,
    async handle(call): Promise<RouteResult> {
      const linked = await findLinked(call.ports, call.params.token);
      if (!linked.ok) return linked;
      const { answerByLink, answerWithPage } = await linkAnswers();
      if (call.form !== undefined) return showPage(await answerWithPage(call, linked), call.ports);
      const { result } = await answerByLink(call, linked);
      return result.ok ? { status: 200, text: result.json } : result;
    },
  }),
];
