/** Keys of a workspace, and the shorter-lived tokens made from them. */
import * as z from '../../protocol/schema/zod.ts';
import { hashText } from '../../core/digest.ts';
import { rejectMissingScope } from '../../core/authority.ts';
import type { Scope } from '../../protocol/schema/actor.ts';
import { mayAct, rootOf, settlerOf } from '../../protocol/caller.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import {
  CreateKey,
  CreatePersonToken,
  CreateToken,
  KeyView,
  ListedKey,
  TokenView,
} from '../../protocol/schema/workspace.ts';
import {
  inThousands,
  readResponse,
  type RouteResult,
  type RouteCall,
  route,
  CREDENTIALS_TAG,
  BY_ADMIN,
} from '../route.ts';
import type { HttpPorts, Identity } from '../ports.ts';
import { Before, InSession, PageSize } from './params.ts';

/** The holder of a scope may delegate it for a while; `agent` alone delegates nothing. */
const MINTERS: readonly Scope[] = ['read', 'answer', 'send'];
const SESSION_TTL_SECONDS = 3_600;
const PERSON_TTL_SECONDS = 24 * 3_600;

const TokenId = z
  .string()
  .regex(/^tok_[A-Za-z0-9_]{1,60}$/)
  .meta({ description: 'The token.', example: 'tok_example' });
const KeyId = z.string().max(64).meta({ description: 'The key.', example: 'key_example' });

const MintedToken = z
  .strictObject({ token: z.string(), id: z.string(), expiresAt: z.number() })
  .meta({ id: 'MintedToken' });
const TokensPageBody = z
  .strictObject({ tokens: z.array(TokenView), next: z.string().optional() })
  .meta({ id: 'TokensPage' });
export const CreatedKey = z
  .strictObject({ key: KeyView, secret: z.string() })
  .meta({ id: 'CreatedKey' });
const KeysList = z.strictObject({ keys: z.array(ListedKey) }).meta({ id: 'KeysList' });
const ToolSecret = z.strictObject({ secret: z.string() }).meta({ id: 'ToolSecret' });

type MintCall = Pick<
  RouteCall<unknown, unknown, z.output<typeof CreateToken>>,
  'identity' | 'ports' | 'body' | 'workspace'
>;

function missingScopeRejection(
  identity: Identity,
  scopes: readonly Scope[],
): Rejection | undefined {
  const lacking = scopes.filter((scope) => !mayAct(identity.caller, scope));
  return lacking.length === 0 ? undefined : rejectMissingScope(lacking);
}

/** Only a key may make a token for another subject. */
function tokenSubject(call: MintCall): string | Rejection {
  const { subject } = call.body;
  const own = call.identity.caller.subject;
  if (subject === undefined || subject === own) return own;
  return call.identity.caller.via === 'api'
    ? subject
    : reject('forbidden', 'A token made from a token keeps its subject');
}

async function mintToken(call: MintCall, session: string | undefined): Promise<RouteResult> {
  const { identity, ports, body } = call;
  const refused = missingScopeRejection(identity, body.scopes);
  if (refused !== undefined) return refused;
  const subject = tokenSubject(call);
  if (typeof subject !== 'string') return subject;
  const defaultTtl = session === undefined ? PERSON_TTL_SECONDS : SESSION_TTL_SECONDS;
  const wanted = ports.now() + (body.ttlSeconds ?? defaultTtl) * 1_000;
  const expiresAt = Math.min(wanted, identity.expiresAt ?? wanted);
  const id = `tok_${ports.freshId()}`;
  const isAdmin = mayAct(identity.caller, 'admin');
  const recorded = await call.workspace.recordToken(
    {
      id,
      subject,
      scopes: [...new Set(body.scopes)],
      session: session ?? null,
      expiresAt,
      maker: rootOf(identity.caller),
      chain: [id, ...identity.chain],
    },
    settlerOf(identity.caller),
    isAdmin,
  );
  if (!recorded.ok) return recorded;
  const token = await ports.credentials.sign({
    kind: session === undefined ? 'person' : 'session',
    id,
    workspace: identity.workspace,
    ...(session !== undefined && { session }),
    scopes: body.scopes,
    subject,
    expiresAt,
    mintedBy: identity.chain,
    root: isAdmin ? id : rootOf(identity.caller),
    ...((body.client === 'cli' || identity.caller.via === 'cli') && { client: 'cli' }),
  });
  return { status: 201, json: { token, id, expiresAt } };
}

/** The secret of a key that is recorded already. */
export function signKey(
  { credentials }: Pick<HttpPorts, 'credentials'>,
  workspace: string,
  { id, scopes, name, expiresAt }: KeyView,
): Promise<string> {
  return credentials.sign({
    kind: 'key',
    id,
    workspace,
    scopes,
    subject: name,
    expiresAt,
    mintedBy: [],
  });
}

export const credentialRoutes = [
  route({
    method: 'POST',
    path: '/v1/sessions/:id/tokens',
    operationId: 'createSessionToken',
    tag: CREDENTIALS_TAG,
    summary: 'Create a token for one session, for a browser or a phone',
    access: { in: 'session', anyOf: MINTERS },
    params: InSession,
    body: CreateToken,
    responses: { 201: { description: 'The token, shown once', schema: MintedToken } },
    async handle(call) {
      const exists = await call.session.snapshot();
      return exists.ok ? mintToken(call, call.params.id) : exists;
    },
  }),
  route({
    method: 'POST',
    path: '/v1/tokens',
    operationId: 'createToken',
    tag: CREDENTIALS_TAG,
    summary: 'Create a token for a person, for the chat and the inbox',
    access: { in: 'workspace', anyOf: MINTERS },
    body: CreatePersonToken,
    responses: { 201: { description: 'The token, shown once', schema: MintedToken } },
    handle: async (call) => mintToken(call, undefined),
  }),
  route({
    method: 'GET',
    path: '/v1/tokens',
    operationId: 'listTokens',
    tag: CREDENTIALS_TAG,
    summary: 'List tokens, newest first',
    description:
      'Tokens of the workspace and of its sessions, including revoked tokens and without expired tokens.',
    access: BY_ADMIN,
    query: z.strictObject({ limit: PageSize.optional(), before: Before.optional() }),
    responses: {
      200: {
        description: 'One page; the secret tokens are not in it',
        schema: TokensPageBody,
      },
    },
    handle: async ({ workspace, query }) =>
      readResponse(await workspace.tokens(query), (page) => page),
  }),
  route({
    method: 'DELETE',
    path: '/v1/tokens/:tokenId',
    operationId: 'deleteToken',
    tag: CREDENTIALS_TAG,
    summary: 'Revoke a token and every token made from it',
    access: BY_ADMIN,
    params: z.strictObject({ tokenId: TokenId }),
    responses: { 204: { description: 'Revoked' } },
    async handle({ workspace, params, identity, ports }) {
      const outlived = ports.now() + LIMITS.tokenMaxSeconds * 1_000;
      await workspace.revoke(params.tokenId, outlived, settlerOf(identity.caller));
      await ports.policy.refresh(identity.workspace);
      return new Response(null, { status: 204 });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/keys',
    operationId: 'createKey',
    tag: CREDENTIALS_TAG,
    summary: 'Create a key for an agent, a service or a script',
    access: BY_ADMIN,
    body: CreateKey,
    idempotent: true,
    responses: {
      201: {
        description: 'The key and its secret, shown once',
        schema: CreatedKey,
      },
    },
    errorCodes: ['limit_reached'],
    async handle({ workspace, body, identity, ports, context }) {
      if (body.expiresAt !== undefined && body.expiresAt <= ports.now()) {
        return reject('invalid_request', 'expiresAt: is in the past');
      }
      const { idempotency, caller } = context;
      const name = idempotency && hashText(`${caller.credential}|${idempotency.key}`);
      const key = await workspace.createKey(body, settlerOf(identity.caller), name);
      if ('ok' in key) return key;
      const secret = await signKey(ports, identity.workspace, key);
      return { status: 201, json: { key, secret } };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/keys',
    operationId: 'listKeys',
    tag: CREDENTIALS_TAG,
    summary: 'List the keys that have not expired, newest first',
    description: `All of them in one reply: a workspace has at most ${inThousands(LIMITS.keys)}.`,
    access: BY_ADMIN,
    responses: {
      200: { description: 'The keys, without their secrets', schema: KeysList },
    },
    async handle({ workspace, ports, identity }) {
      // Also hands over which keys this isolate has seen.
      await ports.policy.refresh(identity.workspace);
      return { status: 200, json: { keys: await workspace.listKeys() } };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/keys/:keyId',
    operationId: 'deleteKey',
    tag: CREDENTIALS_TAG,
    summary: 'Revoke a key, every token made from it, and their live connections',
    access: BY_ADMIN,
    params: z.strictObject({ keyId: KeyId }),
    responses: { 204: { description: 'Revoked' } },
    async handle({ workspace, params, identity, ports }) {
      const result = await workspace.revokeKey(params.keyId, settlerOf(identity.caller));
      if (!result.ok) return result;
      await ports.policy.refresh(identity.workspace);
      return new Response(null, { status: 204 });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/tools/secret',
    operationId: 'getToolsSecret',
    tag: CREDENTIALS_TAG,
    summary: 'Get the secret with which HTTP tools verify that a request comes from this service',
    description:
      'In the format of Standard Webhooks. It changes with the secret of the deployment.',
    access: BY_ADMIN,
    responses: { 200: { description: 'The secret', schema: ToolSecret } },
    handle: async ({ ports, identity }) => ({
      status: 200,
      json: { secret: await ports.toolSecret(identity.workspace) },
    }),
  }),
];
