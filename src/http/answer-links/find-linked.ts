/**
 * The link behind a token, with its session and its request. This is the one place that decides whether a link is in
 * force: signed here, not over, and its maker neither revoked nor gone.
 */
import type { AnswerLink } from '../../core/answer-links/answer-link.ts';
import type { Caller } from '../../protocol/caller.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { InteractionView } from '../../protocol/schema/interaction.ts';
import type { HttpPorts } from '../ports.ts';
import type { SessionStub } from '../stubs.ts';

/** Only reads, and is no agent: a look at a link must not count as a delivery. */
export const LINK_READER: Caller = {
  credential: '',
  subject: '',
  via: 'link',
  scopes: ['read'],
};

const UNKNOWN_LINK = reject('not_found', 'There is no such link');
const EXPIRED = reject('link_expired', 'The time of this link is over. Ask for another one.');
const ENDED = reject(
  'link_expired',
  'The credential or the target that made this link was revoked, disabled or deleted. Ask for another one.',
);

export interface Linked {
  readonly ok: true;
  readonly link: AnswerLink;
  readonly session: SessionStub;
  readonly record: InteractionView;
}

/** The link with its request, if the link is in force. A settled request is found too: the page says how it ended. */
export async function findLinked(ports: HttpPorts, token: string): Promise<Linked | Rejection> {
  const link = ports.answerLinks.read(token);
  if (link === undefined) return UNKNOWN_LINK;
  const { workspace, sessionId, interactionId } = link;
  const wait = await ports.limiter.take(`link ${workspace}/${sessionId}/${interactionId}`);
  if (wait !== undefined) {
    return reject('rate_limited', 'Too many requests for this link', { retryAfterSeconds: wait });
  }
  if (link.expiresAt <= ports.now()) return EXPIRED;
  if (await isLinkOver(ports, link)) return ENDED;
  const found = await ports.findSession(workspace, sessionId);
  if (!found.ok) return UNKNOWN_LINK;
  const read = await found.session.interaction(interactionId, LINK_READER);
  return read.ok ? { ok: true, link, session: found.session, record: read.value } : read;
}

async function isLinkOver(
  { policy, findTarget }: HttpPorts,
  { workspace, chain, target, subject }: AnswerLink,
): Promise<boolean> {
  const { revoked } = await policy.get(workspace);
  if (chain.some((id) => revoked.includes(id))) return true;
  if (target === undefined) return false;
  const maker = await findTarget(target);
  return maker === undefined || !(await maker.answersAs(subject));
}

/** The present request after one or more reprompts; undefined for a request that was not replaced. */
export async function findNewest({
  session,
  record,
}: Linked): Promise<InteractionView | undefined> {
  let newest: InteractionView | undefined;
  let { replacedBy } = record;
  for (let step = 0; replacedBy !== undefined && step <= LIMITS.repromptsPerToolCall; step += 1) {
    const read = await session.interaction(replacedBy, LINK_READER);
    if (!read.ok) break;
    newest = read.value;
    replacedBy = newest.replacedBy;
  }
  return newest;
}
