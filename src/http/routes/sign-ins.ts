/** The browsers in which people are signed in, and their tokens: the caller's own, and for administrators all. */
import * as z from '../../protocol/schema/zod.ts';
import { settlerOf } from '../../protocol/caller.ts';
import { reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { SignInView } from '../../protocol/schema/person.ts';
import { TokenView } from '../../protocol/schema/workspace.ts';
import type { HttpPorts, Identity } from '../ports.ts';
import type { WorkspaceStub } from '../stubs.ts';
import {
  personProblem,
  BY_ADMIN,
  BY_MEMBER,
  PEOPLE_TAG,
  route,
  type RouteResult,
} from '../route.ts';

const OfSignIn = z.strictObject({
  signInId: z
    .string()
    .regex(/^sgn_[A-Za-z0-9]{1,64}$/)
    .meta({ description: 'The sign-in.', example: 'sgn_example' }),
});
const OfToken = z.strictObject({
  tokenId: z
    .string()
    .regex(/^tok_[A-Za-z0-9_]{1,60}$/)
    .meta({ description: 'The token.', example: 'tok_example' }),
});
const SignInsList = z.strictObject({ signIns: z.array(SignInView) }).meta({ id: 'SignInsList' });
const OwnCredentialsReply = z
  .strictObject({
    signIns: z.array(SignInView),
    tokens: z.array(TokenView),
    current: z.string().describe('The id of the one that asks.'),
  })
  .meta({ id: 'OwnCredentials' });
const EndedSignIns = z.strictObject({ ended: z.number() }).meta({ id: 'EndedSignIns' });

const UNKNOWN_TOKEN = reject('not_found', 'You have no such token');
const SIGNED_OUT_REPLY = { 204: { description: 'Signed out' } };

const WHAT = 'Sign-ins';

export const signInRoutes = [
  route({
    method: 'GET',
    path: '/v1/me/sign-ins',
    operationId: 'listOwnSignIns',
    tag: PEOPLE_TAG,
    summary: 'List the browsers in which you are signed in, and your tokens',
    access: BY_MEMBER,
    responses: { 200: { description: 'What is in force', schema: OwnCredentialsReply } },
    async handle({ workspace, identity }) {
      const problem = personProblem(identity, WHAT);
      if (problem !== undefined) return problem;
      const { subject, credential } = identity.caller;
      const [signIns, tokens] = await Promise.all([
        workspace.signIns(subject),
        workspace.ownTokens(subject),
      ]);
      return { status: 200, json: { signIns, tokens, current: credential } };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/me/sign-ins',
    operationId: 'endOtherSignIns',
    tag: PEOPLE_TAG,
    summary: 'Sign out everywhere else',
    access: BY_MEMBER,
    responses: { 200: { description: 'How many sign-ins ended', schema: EndedSignIns } },
    async handle({ workspace, identity, ports }) {
      const problem = personProblem(identity, WHAT);
      if (problem !== undefined) return problem;
      const { caller } = identity;
      const by = settlerOf(caller);
      const ended = await workspace.endOtherSignIns(caller.subject, caller.credential, by);
      await ports.policy.refresh(identity.workspace);
      return { status: 200, json: { ended } };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/me/sign-ins/:signInId',
    operationId: 'endOwnSignIn',
    tag: PEOPLE_TAG,
    summary: 'Sign out one of your browsers',
    access: BY_MEMBER,
    params: OfSignIn,
    responses: SIGNED_OUT_REPLY,
    handle: async ({ workspace, identity, params, ports }) =>
      personProblem(identity, WHAT) ??
      endListedSignIn(workspace, params.signInId, {
        subject: identity.caller.subject,
        identity,
        ports,
      }),
  }),
  route({
    method: 'DELETE',
    path: '/v1/me/tokens/:tokenId',
    operationId: 'deleteOwnToken',
    tag: PEOPLE_TAG,
    summary: 'Revoke one of your tokens and every token made from it',
    access: BY_MEMBER,
    params: OfToken,
    responses: { 204: { description: 'Revoked' } },
    async handle({ workspace, identity, params, ports }) {
      const problem = personProblem(identity, WHAT);
      if (problem !== undefined) return problem;
      const { caller } = identity;
      const own = await workspace.ownTokens(caller.subject);
      if (!own.some(({ id }) => id === params.tokenId)) return UNKNOWN_TOKEN;
      const outlived = ports.now() + LIMITS.tokenMaxSeconds * 1_000;
      await workspace.revoke(params.tokenId, outlived, settlerOf(caller));
      await ports.policy.refresh(identity.workspace);
      return new Response(null, { status: 204 });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/sign-ins',
    operationId: 'listSignIns',
    tag: PEOPLE_TAG,
    summary: 'List the browsers in which people are signed in, the one that was used last first',
    access: BY_ADMIN,
    responses: { 200: { description: 'All of them, in one reply', schema: SignInsList } },
    handle: async ({ workspace }) => ({
      status: 200,
      json: { signIns: await workspace.signIns(null) },
    }),
  }),
  route({
    method: 'DELETE',
    path: '/v1/sign-ins/:signInId',
    operationId: 'endSignIn',
    tag: PEOPLE_TAG,
    summary: 'Sign a person out of one browser',
    access: BY_ADMIN,
    params: OfSignIn,
    responses: SIGNED_OUT_REPLY,
    handle: ({ workspace, identity, params, ports }) =>
      endListedSignIn(workspace, params.signInId, { subject: null, identity, ports }),
  }),
];

async function endListedSignIn(
  workspace: WorkspaceStub,
  id: string,
  {
    subject,
    identity,
    ports,
  }: { readonly subject: string | null; readonly identity: Identity; readonly ports: HttpPorts },
): Promise<RouteResult> {
  const ended = await workspace.endSignIn(id, subject, settlerOf(identity.caller));
  if (!ended.ok) return ended;
  await ports.policy.refresh(identity.workspace);
  return new Response(null, { status: 204 });
}
