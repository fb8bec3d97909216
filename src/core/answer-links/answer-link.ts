/**
 * An answer link: what it names, what it may be used for, and as whom its answer counts.
 *
 * The link gives nothing that its maker does not have. Its answer has the credential, the key and the root of the maker:
 * what the maker may not answer itself, its links do not answer either, and the record leads back to the maker whatever
 * the subject is called. An administrator is exempt from the rule against self-approval, and so are its links.
 */
import { type ApprovalChoice, readChoices } from '../../protocol/approval-choices.ts';
import { type Caller, mayAct, provesPerson } from '../../protocol/caller.ts';
import { type ReadResult, type Rejection, reject } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { LinkAnswer } from '../../protocol/schema/answer-link.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';

export interface AnswerLink {
  readonly workspace: string;
  readonly sessionId: string;
  readonly interactionId: string;
  /** Of the request that the link was made for. */
  readonly inputDigest: string;
  readonly subject: string;
  readonly answers: readonly LinkAnswer[];
  readonly expiresAt: number;
  /** The maker: its credential, key and root, and the credentials whose revocation ends the link. */
  readonly credential: string;
  readonly key?: string;
  readonly root?: string;
  readonly isAdmin?: true;
  /** The maker is the person that the link names, and proved that. Absent: not, or made before this was kept. */
  readonly isOwn?: true;
  readonly chain: readonly string[];
  /** The target that made it, which must still exist, be enabled and have this audience. */
  readonly target?: string;
}

const ANSWERS_BY_KIND: ReadonlyMap<string, readonly LinkAnswer[]> = new Map([
  ['approval', ['approve', 'deny', 'allow_for_session']],
  ['question', ['answer', 'decline']],
  ['plan_review', ['edit', 'clean_edit', 'default', 'adjust']],
  ['form', ['submit', 'decline']],
  ['link', ['opened', 'done', 'decline']],
]);

/** A rule for later calls is given only where the maker of the link names it. */
const ONLY_IF_NAMED: readonly LinkAnswer[] = ['allow_for_session'];

export function chooseLinkAnswers(
  { kind }: Pick<Interaction, 'kind'>,
  wanted?: readonly LinkAnswer[],
): ReadResult<readonly LinkAnswer[]> {
  const known = ANSWERS_BY_KIND.get(kind);
  if (known === undefined) {
    return reject('wrong_kind', `A ${kind} cannot be answered by a link`);
  }
  const foreign = wanted?.find((name) => !known.includes(name));
  if (foreign !== undefined) {
    const message = `"${foreign}" is no answer to a ${kind}; use ${known.join(', ')}`;
    return reject('invalid_request', `answers: ${message}`, {
      issues: [{ path: 'answers', message }],
    });
  }
  const chosen = wanted ?? known.filter((name) => !ONLY_IF_NAMED.includes(name));
  return { ok: true, value: known.filter((name) => chosen.includes(name)) };
}

/** Why this answer may not be given by this link; whether it fits the request is for the kind to say. */
export function rejectLinkAnswer(
  { answers }: Pick<AnswerLink, 'answers'>,
  { kind, request }: Pick<Interaction, 'kind' | 'request'>,
  answer: JsonObject,
): Rejection | undefined {
  const name = 'choice' in answer ? nameChoice(request, answer) : nameAnswer(kind, answer);
  if (name !== undefined && answers.includes(name) && answer.updatedInput === undefined) {
    return undefined;
  }
  return reject('not_offered', `This link may be used for: ${answers.join(', ')}`, {
    answers: [...answers],
  });
}

/** What a choice does, in the words of a link: a choice that keeps a rule is good only where the maker named that. */
function nameChoice(request: JsonObject, { choice }: JsonObject): LinkAnswer | undefined {
  const chosen = readChoices(request)?.find(({ id }) => id === choice);
  return chosen && linkAnswerOfChoice(chosen);
}

export function linkAnswerOfChoice({ decision, remember }: ApprovalChoice): LinkAnswer {
  return remember === undefined ? decision : 'allow_for_session';
}

function nameAnswer(kind: string, answer: JsonObject): LinkAnswer | undefined {
  const known = ANSWERS_BY_KIND.get(kind) ?? [];
  switch (kind) {
    case 'approval': {
      const forSession = answer.offer === 'session' || answer.exact !== undefined;
      if (forSession) return answer.decision === 'approve' ? 'allow_for_session' : undefined;
      return known.find((name) => name === answer.decision);
    }
    case 'plan_review':
      return known.find((name) => name === answer.decision);
    case 'question':
      return 'decline' in answer ? 'decline' : 'answer';
    case 'form':
      return 'decline' in answer ? 'decline' : 'submit';
    case 'link':
      return known.find((name) => name in answer);
    default:
      return undefined;
  }
}

/** Where the request names who may answer it, a link needs a maker who vouches for its subject: otherwise anyone could name a person who is asked. */
export function rejectUnprovenLink(
  link: LinkCaller,
  { audience }: Pick<Interaction, 'audience'>,
): Rejection | undefined {
  if (audience === undefined || provesPerson(callerOfLink(link))) return undefined;
  return reject(
    'forbidden',
    'This request names who may answer it. A link for it is made by an administrator, or in the own name by a person who signed in or has a token of an administrator.',
    { needs: 'person' },
  );
}

/** Whether a link that this caller makes for this subject is one of that very person. */
export function isOwnLink(maker: Caller, subject: string): boolean {
  return maker.subject === subject && !mayAct(maker, 'admin') && provesPerson(maker);
}

type LinkCaller = Pick<AnswerLink, 'credential' | 'key' | 'root' | 'subject' | 'isAdmin' | 'isOwn'>;

export function callerOfLink({
  credential,
  key,
  root,
  subject,
  isAdmin,
  isOwn,
}: LinkCaller): Caller {
  return {
    credential,
    subject,
    via: 'link',
    scopes: isAdmin === true ? ['answer', 'admin'] : ['answer'],
    ...(key !== undefined && { key }),
    ...(root !== undefined && { root }),
    ...(isOwn === true && { isOwnLink: isOwn }),
  };
}
