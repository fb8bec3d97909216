/**
 * The answer link that a target with an audience sends along: it ends with the target, and its answer counts as one of the
 * target, so as one party with the credential that made the target.
 */
import { chooseLinkAnswers } from '../core/answer-links/answer-link.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { MadeAnswerLink } from '../protocol/schema/answer-link.ts';
import type { TargetConfig, TargetPorts } from './ports.ts';
import type { OutgoingDelivery } from './surfaces/surface.ts';

interface AskedRequest {
  readonly sessionId: string;
  readonly requested: NonNullable<OutgoingDelivery['requested']>;
}

/** Undefined without an audience, without an address, and for a kind that no page can answer. */
export function makeTargetLink(
  { writeAnswerLink, now }: Pick<TargetPorts, 'writeAnswerLink' | 'now'>,
  { id, workspace, origin, audience, maker }: TargetConfig,
  { sessionId, requested }: AskedRequest,
): MadeAnswerLink | undefined {
  const answers = chooseLinkAnswers(requested);
  if (origin === undefined || audience === undefined || !answers.ok) return undefined;
  const expiresAt = now() + LIMITS.targetLinkMs;
  const token = writeAnswerLink({
    workspace,
    sessionId,
    interactionId: requested.interactionId,
    inputDigest: requested.inputDigest,
    subject: audience,
    answers: answers.value,
    expiresAt,
    credential: id,
    key: maker.key ?? maker.credential,
    root: maker.root ?? maker.credential,
    chain: [],
    target: id,
  });
  return { url: `${origin}/links/${token}`, expiresAt };
}
