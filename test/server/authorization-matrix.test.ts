/**
 * Every route with every sort of credential.
 *
 * The scopes of each route are written here by hand, so that an accidentally loosened route fails. A bug here looks like
 * an agent that answers its own question, a token that works in another session, or a refused request that changed
 * something. The file is long because every route has a row here.
 */
import { expect, it } from 'vitest';
import type { Scope } from '../../src/protocol/schema/actor.ts';
import type { Json } from '../../src/protocol/json.ts';
import { ROLE_SCOPES } from '../../src/core/authority.ts';
import type { Role } from '../../src/protocol/schema/person.ts';
import { ask, problemsOf, refusalProblem, send } from '../support/http/call.ts';
import {
  ALL_BUT_ADMIN,
  keyWith,
  personToken,
  sessionToken,
  sign,
  vouchedToken,
  withAlteredClaims,
  withAlteredSignature,
} from '../support/http/credentials.ts';
import {
  EXAMPLES,
  keysOfRoutes,
  type Target,
  TARGETS,
  validRequest,
} from '../support/http/examples.ts';
import {
  readVisibleState,
  type SampleSession,
  openSampleSession,
  settledSampleSession,
  waitUntilListed,
} from '../support/http/sample-session.ts';
import { type Routes, startRoutes } from '../support/http/local-app.ts';
import { ADMIN_KEY } from '../support/http/server.ts';

/**
 * The area of a route, and its scopes; one scope is enough, and `admin` always is. `person`: what belongs to the subject of
 * a credential that proves the person and may not act as an agent. `member`: the same, of credentials for the whole workspace. `self`: the
 * credential itself, wherever it is from. `opener`: a session, and without `admin` only the credential that opened what the
 * request names. `asker`: of the workspace, where another workspace has a session of its own.
 * `home`: of the workspace `main` alone. `named`: of the workspace, which the path names.
 */
type Place =
  | 'session'
  | 'opener'
  | 'workspace'
  | 'either'
  | 'person'
  | 'member'
  | 'self'
  | 'asker'
  | 'home'
  | 'named';
type Who = 'everybody' | readonly [Place, ...Scope[]];

const WHO: Readonly<Record<string, Who>> = {
  'POST /v1/sessions': ['workspace', 'agent'],
  'GET /v1/sessions': ['workspace', 'read'],
  'GET /v1/sessions/:id': ['session', 'read'],
  'PATCH /v1/sessions/:id': ['session', 'answer'],
  'DELETE /v1/sessions/:id': ['session'],
  'POST /v1/sessions/:id/clear': ['session', 'send'],
  'POST /v1/sessions/:id/interrupt': ['session', 'send'],
  'GET /v1/sessions/:id/agent': ['session'],
  'GET /v1/sessions/:id/rules': ['session', 'read'],
  // One that allows needs `admin`: test/server/rules.test.ts.
  'POST /v1/sessions/:id/rules': ['session', 'answer'],
  'DELETE /v1/sessions/:id/rules/:ruleId': ['session', 'answer'],
  'POST /v1/sessions/:id/interactions': ['session', 'agent'],
  'POST /v1/sessions/:id/interactions/batch': ['session', 'agent'],
  'GET /v1/sessions/:id/interactions': ['session', 'read'],
  'GET /v1/sessions/:id/interactions/:iid': ['session', 'read', 'agent'],
  'GET /v1/sessions/:id/interactions/:iid/input': ['session', 'read'],
  'POST /v1/sessions/:id/interactions/:iid/answer': ['session', 'answer'],
  'DELETE /v1/sessions/:id/interactions/:iid': ['session', 'answer', 'agent'],
  'POST /v1/sessions/:id/interactions/cancel': ['session', 'answer', 'agent'],
  'POST /v1/sessions/:id/interactions/decide': ['session', 'answer'],
  'POST /v1/sessions/:id/interactions/:iid/complete': ['opener', 'agent'],
  'POST /v1/sessions/:id/interactions/:iid/acknowledge': ['session', 'agent'],
  'POST /v1/sessions/:id/interactions/:iid/extend': ['session', 'answer'],
  'POST /v1/sessions/:id/interactions/:iid/undo': ['session', 'answer'],
  'POST /v1/sessions/:id/interactions/:iid/withdraw': ['session', 'answer'],
  'POST /v1/sessions/:id/interactions/:iid/claim': ['session', 'answer'],
  'POST /v1/sessions/:id/interactions/:iid/handover': ['session', 'answer'],
  'POST /v1/sessions/:id/interactions/:iid/links': ['session', 'answer'],
  'POST /v1/sessions/:id/submit-answers': ['session', 'answer'],
  'POST /v1/sessions/:id/approve': ['session', 'answer'],
  'POST /v1/sessions/:id/deny': ['session', 'answer'],
  'POST /api/sessions/:id/submit-answers': ['session', 'answer'],
  'POST /api/sessions/:id/approve': ['session', 'answer'],
  'POST /api/sessions/:id/deny': ['session', 'answer'],
  'GET /v1/sessions/:id/events': ['session', 'read'],
  'POST /v1/sessions/:id/events': ['session', 'agent'],
  'POST /v1/sessions/:id/tool-calls': ['session', 'agent'],
  'GET /v1/sessions/:id/agui': ['session', 'read'],
  // What is in the body needs more: test/server/agui.test.ts.
  'POST /v1/sessions/:id/agui': ['session', 'read'],
  'PUT /v1/sessions/:id/cli': ['session', 'agent'],
  'GET /v1/cli-sessions/:provider/:cliSessionId': ['either', 'agent', 'read'],
  'POST /v1/hooks/claude-code': ['asker', 'agent'],
  'POST /v1/sessions/:id/history': ['session', 'agent'],
  'GET /v1/sessions/:id/history': ['session', 'read'],
  'GET /v1/sessions/:id/socket': ['session', 'read'],
  'GET /v1/sessions/:id/export': ['session', 'read'],
  'POST /v1/sessions/:id/messages': ['session', 'send'],
  'POST /v1/sessions/:id/attachments': ['session', 'send', 'answer'],
  'GET /v1/sessions/:id/attachments/:attachmentId': ['session', 'read', 'agent'],
  'GET /v1/sessions/:id/search': ['session', 'read'],
  'GET /v1/sessions/:id/files': ['session', 'read'],
  'POST /v1/sessions/:id/tool-calls/:toolCallId/result': ['session', 'agent'],
  'POST /v1/sessions/:id/retry': ['session', 'send'],
  'POST /v1/sessions/:id/conversation/restore': ['session', 'send'],
  'DELETE /v1/sessions/:id/queued/:messageId': ['session', 'send'],
  'GET /v1/tools/secret': ['workspace'],
  'POST /v1/sessions/:id/tokens': ['session', 'read', 'answer', 'send'],
  'POST /v1/tokens': ['workspace', 'read', 'answer', 'send'],
  'GET /v1/tokens': ['workspace'],
  'DELETE /v1/tokens/:tokenId': ['workspace'],
  'POST /v1/keys': ['workspace'],
  'GET /v1/keys': ['workspace'],
  'DELETE /v1/keys/:keyId': ['workspace'],
  'GET /v1/inbox': ['workspace', 'read'],
  'GET /v1/inbox/socket': ['workspace', 'read'],
  'POST /v1/inbox/decide': ['workspace', 'answer'],
  'GET /v1/decisions': ['workspace', 'read'],
  'GET /v1/audit': ['workspace'],
  'GET /v1/audit/export': ['workspace'],
  // Of which workspace, and which names are 404: test/server/workspaces.test.ts.
  'GET /v1/workspaces': ['workspace'],
  'POST /v1/retention/preview': ['workspace'],
  'POST /v1/workspaces': ['home'],
  'PATCH /v1/workspaces/:name': ['named'],
  'POST /v1/workspaces/:name/keys': ['named'],
  // Only `admin` gets more than what waits: test/server/status.test.ts.
  'GET /v1/status': ['workspace', 'read'],
  'POST /v1/targets': ['workspace'],
  'GET /v1/targets': ['workspace'],
  'GET /v1/targets/:targetId': ['workspace'],
  'PATCH /v1/targets/:targetId': ['workspace'],
  'DELETE /v1/targets/:targetId': ['workspace'],
  'POST /v1/targets/:targetId/test': ['workspace'],
  'POST /v1/targets/:targetId/rotate': ['workspace'],
  'GET /v1/targets/:targetId/deliveries': ['workspace'],
  'POST /v1/targets/:targetId/deliveries/redeliver': ['workspace'],
  'POST /v1/targets/:targetId/deliveries/:deliveryId/redeliver': ['workspace'],
  // It lists the tools for anyone who may call them; test/integrations/mcp/attacks.test.ts calls them.
  'POST /mcp': ['self', 'agent'],
  // Its credential is a signature, which test/server/webhooks.test.ts forges.
  'POST /v1/inbound/:targetId/:deliveryId': 'everybody',
  // So is its credential, which test/server/slack.test.ts forges.
  'POST /v1/inbound/slack/:targetId': 'everybody',
  // Their credential is the link itself, which test/server/answer-links.test.ts forges.
  'GET /links/:token': 'everybody',
  'POST /links/:token': 'everybody',
  'POST /v1/devices': ['person', 'read', 'answer'],
  'GET /v1/devices': ['person', 'read', 'answer'],
  // Of another person: test/server/devices.test.ts has devices of one's own.
  'DELETE /v1/devices/:deviceId': ['person', 'read', 'answer'],
  'POST /v1/devices/:deviceId/test': ['person', 'read', 'answer'],
  'GET /v1/me': ['self', 'read', 'answer', 'send', 'agent'],
  'GET /v1/people': ['workspace'],
  'POST /v1/people': ['workspace'],
  'GET /v1/people/:subject': ['workspace'],
  'PATCH /v1/people/:subject': ['workspace'],
  'DELETE /v1/people/:subject': ['workspace'],
  'POST /v1/people/admin-link': ['workspace'],
  'GET /v1/names': ['workspace', 'read'],
  'GET /v1/me/sign-ins': ['member', 'read', 'answer'],
  'DELETE /v1/me/sign-ins': ['member', 'read', 'answer'],
  'DELETE /v1/me/sign-ins/:signInId': ['member', 'read', 'answer'],
  'DELETE /v1/me/tokens/:tokenId': ['member', 'read', 'answer'],
  'GET /v1/sign-ins': ['workspace'],
  'DELETE /v1/sign-ins/:signInId': ['workspace'],
  // Their credential is the browser's, or an invitation: test/server/login.test.ts attacks them.
  'GET /auth/login': 'everybody',
  'POST /auth/login': 'everybody',
  'GET /auth/callback': 'everybody',
  'GET /auth/session': 'everybody',
  'POST /auth/logout': 'everybody',
  'POST /v1/invitations/accept': 'everybody',
  'GET /v1/rules': ['workspace', 'read'],
  'POST /v1/rules': ['workspace'],
  'POST /v1/rules/try': ['workspace'],
  'DELETE /v1/rules/:ruleId': ['workspace'],
  'GET /v1/groups': ['workspace'],
  'PUT /v1/groups/:group': ['workspace'],
  'DELETE /v1/groups/:group': ['workspace'],
  'GET /v1/me/quiet-hours': ['member', 'read', 'answer'],
  'PUT /v1/me/quiet-hours': ['member', 'read', 'answer'],
  'DELETE /v1/me/quiet-hours': ['member', 'read', 'answer'],
  'PUT /v1/me/pins/:sessionId': ['member', 'read'],
  'DELETE /v1/me/pins/:sessionId': ['member', 'read'],
  'GET /v1/people/:subject/quiet-hours': ['workspace'],
  'PUT /v1/people/:subject/quiet-hours': ['workspace'],
  'DELETE /v1/people/:subject/quiet-hours': ['workspace'],
  'GET /v1/settings': ['workspace'],
  'PUT /v1/settings': ['workspace'],
  'GET /health': 'everybody',
  'GET /': 'everybody',
  'GET /inbox': 'everybody',
  'GET /assets/:name': 'everybody',
  'GET /sw.js': 'everybody',
  'GET /openapi.json': 'everybody',
  'GET /docs': 'everybody',
  'GET /docs/style.css': 'everybody',
};

const server = await startRoutes();
/** The credential that opened the interactions of every sample session, and so may cancel them. */
const agent = await keyWith('agent');
const elsewhere = await settledSampleSession(server);
const guarded = await settledSampleSession(server);
const readable = await openSampleSession(server, { opener: agent });
await waitUntilListed(server, readable.session);

/** Invalid credentials of every sort. */
const good = await keyWith('read');
const REVOKED = (await ask(server, {
  method: 'POST',
  path: '/v1/keys',
  json: { name: 'revoked', scopes: ['read', 'answer', 'send', 'agent', 'admin'] },
})) as { key: { id: string }; secret: string };
const mintedFromRevoked = (await ask(server, {
  method: 'POST',
  path: '/v1/tokens',
  json: { scopes: ['read', 'answer'] },
  token: REVOKED.secret,
})) as { token: string };
const revokedToken = (await ask(server, {
  method: 'POST',
  path: `/v1/sessions/${guarded.session}/tokens`,
  json: { scopes: ALL_BUT_ADMIN as Json },
})) as { token: string; id: string };
await ask(server, { method: 'DELETE', path: `/v1/keys/${REVOKED.key.id}` });
await ask(server, { method: 'DELETE', path: `/v1/tokens/${revokedToken.id}` });

const INVALID: Readonly<Record<string, string | null>> = {
  'no credential': null,
  'no word at all': '',
  'another word': 'nonsense',
  'the beginning of the admin key': ADMIN_KEY.slice(0, -1),
  'more than the admin key': `${ADMIN_KEY}0`,
  'a token without a signature': good.slice(0, good.indexOf('.')),
  'an altered signature': withAlteredSignature(good),
  'altered scopes': withAlteredClaims(good, (claims) => ({ ...claims, c: ['admin'] })),
  'an altered session': withAlteredClaims(good, (claims) => ({ ...claims, s: guarded.session })),
  'an expired key': await sign({ scopes: ['admin'], expiresAt: Date.now() - 1 }),
  'a revoked key': REVOKED.secret,
  'a token made from a revoked key': mintedFromRevoked.token,
  'a revoked session token': revokedToken.token,
};

/** Valid credentials of every sort. `at` is the session that a request names. */
interface Credential {
  readonly scopes: readonly Scope[];
  readonly token: (at: string) => Promise<string>;
  /** A cookie, in the place of the token. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>>;
  readonly workspace?: 'other';
  readonly session?: 'this' | 'another';
  readonly isOpener?: true;
  /** An administrator or a login vouches for its subject. */
  readonly isProven?: true;
}

const key = (...scopes: readonly Scope[]): Credential => ({
  scopes,
  token: () => keyWith(...scopes),
});
const person = (...scopes: readonly Scope[]): Credential => ({
  scopes,
  token: () => personToken(...scopes),
});
const vouched = (...scopes: readonly Scope[]): Credential => ({
  scopes,
  isProven: true,
  token: () => vouchedToken(null, ...scopes),
});
const vouchedInSession = (...scopes: readonly Scope[]): Credential => ({
  scopes,
  isProven: true,
  session: 'this',
  token: (at) => vouchedToken(at, ...scopes),
});
const inSession = (...scopes: readonly Scope[]): Credential => ({
  scopes,
  session: 'this',
  token: (at) => sessionToken(at, ...scopes),
});
const inAnotherSession = (...scopes: readonly Scope[]): Credential => ({
  scopes,
  session: 'another',
  token: () => sessionToken(elsewhere.session, ...scopes),
});
const stranger = (...scopes: readonly Scope[]): Credential => ({
  scopes,
  workspace: 'other',
  token: () => sign({ scopes, workspace: 'other' }),
});

/** A person with a sign-in of their own for each request: some requests end it. */
function cookies({ signIn }: Routes): Readonly<Record<string, Credential>> {
  if (signIn === undefined) return {};
  const roles = Object.entries(ROLE_SCOPES) as [Role, readonly Scope[]][];
  return Object.fromEntries(
    roles.map(([role, scopes]) => [
      `the cookie of a person with the role ${role}`,
      { scopes, isProven: true as const, token: async () => '', headers: () => signIn(role) },
    ]),
  );
}

const CREDENTIALS: Readonly<Record<string, Credential>> = {
  ...cookies(server),
  'the admin key': { scopes: ['admin'], token: async () => ADMIN_KEY },
  'a key to read': key('read'),
  'a key to answer': key('answer'),
  'a key to send': key('send'),
  'the key of the agent': { scopes: ['agent'], token: async () => agent, isOpener: true },
  'a key to administer': key('admin'),
  'a key with all scopes but admin': key(...ALL_BUT_ADMIN),
  'a token that a key made': person('read', 'answer', 'send'),
  'a token to read that a key made': person('read'),
  'a person': vouched('read', 'answer', 'send'),
  'a person who reads': vouched('read'),
  'a person with a token of this session': vouchedInSession('read', 'answer', 'send'),
  'a session token': inSession('read', 'answer', 'send'),
  'a session token to read': inSession('read'),
  'a session token to administer': inSession('admin'),
  'a token of another session': inAnotherSession(...ALL_BUT_ADMIN),
  'a token to administer another session': inAnotherSession('admin'),
  'a key of another workspace': stranger(...ALL_BUT_ADMIN),
  'an admin of another workspace': stranger('admin'),
};

type Verdict = 'allowed' | 401 | 403 | 404;

const NOT_OF_SESSIONS: readonly Place[] = ['workspace', 'member', 'home', 'named'];

function verdictFor(
  who: Who,
  { scopes, session, workspace, isOpener, isProven }: Credential,
): Verdict {
  if (who === 'everybody') return 'allowed';
  const [where, ...anyOf] = who;
  if (session !== undefined && NOT_OF_SESSIONS.includes(where)) return 403;
  const isInSession = where === 'session' || where === 'opener';
  if (session === 'another' && isInSession) return 404;
  const isEnough = scopes.includes('admin') || anyOf.some((scope) => scopes.includes(scope));
  if (!isEnough) return 403;
  if (where === 'self') return 'allowed';
  if (where === 'home') return workspace === 'other' ? 403 : 'allowed';
  const mustBePerson = where === 'person' || where === 'member';
  const isAdmin = scopes.includes('admin');
  if (mustBePerson && !isAdmin) {
    return isProven !== true || scopes.includes('agent') ? 403 : 'allowed';
  }
  if (mustBePerson) return 'allowed';
  if (session === 'another') return 404;
  const isOwn = where === 'workspace' || where === 'asker';
  if (workspace === 'other' && !isOwn) return 404;
  const isForeign = where === 'opener' && isOpener !== true && !scopes.includes('admin');
  return isForeign ? 403 : 'allowed';
}

function whoMay(target: Target): Who {
  const who = WHO[target.key];
  if (who === undefined) throw new Error(`Who may ${target.key}? It is not in the table`);
  return who;
}

/**
 * The body must not ask for more than the route: a caller cannot mint a scope it lacks, and a text may count as an
 * answer.
 */
function requestBy({ scopes, workspace }: Credential, target: Target, sample: SampleSession) {
  const request = validRequest(target, sample);
  const isHook = target.key === 'POST /v1/hooks/claude-code';
  // The session that begins there is named for the conversation.
  if (isHook && workspace === 'other') return { ...request, json: hookElsewhere(sample) };
  if (target.key === 'POST /v1/sessions/:id/agui') {
    return { ...request, json: { threadId: sample.session, runId: 'run-1' } };
  }
  if (target.key.endsWith('/messages')) return { ...request, json: { text: '/clear' } };
  // No token carries `admin`; an administrator has all other scopes.
  const scope = scopes.find((name) => name !== 'admin') ?? 'read';
  const mints = target.key.startsWith('POST') && target.key.endsWith('/tokens');
  return mints ? { ...request, json: { scopes: [scope] } } : request;
}

function hookElsewhere(sample: SampleSession) {
  const [hook] = EXAMPLES['POST /v1/hooks/claude-code']?.bodies ?? [];
  return { ...hook?.body(sample), session_id: 'elsewhere' };
}

/** An allowed request that writes changes its session, so each gets a separate sample session. */
async function sampleFor({ method, pattern }: Target): Promise<SampleSession> {
  if (method === 'GET') return readable;
  const isOfOther = pattern.includes(':keyId') || pattern.includes(':targetId');
  return openSampleSession(server, { opener: agent, ...(!isOfOther && { besides: guarded }) });
}

async function cell(target: Target, name: string, credential: Credential) {
  // What the routes of a login do with a cookie is in test/server/login.test.ts.
  if (credential.headers !== undefined && whoMay(target) === 'everybody') return undefined;
  // Pages call no tools: what sends an Origin there is refused, unless the settings name it.
  const isPage = credential.headers !== undefined && target.key === 'POST /mcp';
  const verdict = isPage ? 403 : verdictFor(whoMay(target), credential);
  const sample = verdict === 'allowed' ? await sampleFor(target) : guarded;
  const request = requestBy(credential, target, sample);
  const cookie = await credential.headers?.();
  const reply = await send(server, {
    ...request,
    token: cookie === undefined ? await credential.token(sample.session) : null,
    ...(cookie !== undefined && { headers: cookie }),
  });
  const evidence = `${name}: expected ${verdict}, got ${reply.status} ${reply.text.slice(0, 150)}`;
  if (verdict !== 'allowed') {
    // A request that is no upgrade is refused before the server looks for the session.
    const codes = target.example.status === 426 && verdict === 404 ? [404, 426] : [verdict];
    const isRefused = codes.includes(reply.status) && refusalProblem(reply) === undefined;
    return isRefused ? undefined : evidence;
  }
  // The other ids of a path, such as keys, belong to the first workspace.
  const isForeign = credential.workspace === 'other' && target.pattern.includes('/:');
  const isOfOne = /:(targetId|sessionId)/.test(target.pattern);
  const mayBeUnknown = isForeign && (target.method === 'DELETE' || isOfOne);
  const status = [target.example.status, ...(mayBeUnknown ? [404] : [])];
  return status.includes(reply.status) ? undefined : evidence;
}

it('has every route in its table, and no other', () => {
  expect(Object.keys(WHO).toSorted()).toEqual(keysOfRoutes().toSorted());
});

it.each(TARGETS.map((target) => [target.key, target] as const))(
  '[AUTH-2] %s refuses every caller without a valid credential',
  async (_key, target) => {
    const before = await readVisibleState(server, guarded);
    const isPublic = whoMay(target) === 'everybody';
    const problems = await problemsOf(Object.entries(INVALID), async ([name, token]) => {
      const reply = await send(server, { ...validRequest(target, guarded), token });
      if (isPublic) return reply.status === target.example.status ? undefined : name;
      const problem = refusalProblem(reply, ['unauthenticated']);
      const challenge = reply.headers.get('www-authenticate');
      return problem ?? (challenge === 'Bearer' ? undefined : `${name}: no challenge`);
    });
    expect(problems).toEqual([]);
    expect(await readVisibleState(server, guarded)).toEqual(before);
  },
);

it.each(TARGETS.map((target) => [target.key, target] as const))(
  '[AUTH-2, AUTH-6] %s allows exactly the credentials with its scopes',
  async (_key, target) => {
    const before = await openAt(guarded);
    const problems = await problemsOf(Object.entries(CREDENTIALS), ([name, credential]) =>
      cell(target, name, credential),
    );
    expect(problems).toEqual([]);
    expect(await openAt(guarded)).toEqual(before);
  },
);

/** Reads this session alone, because allowed requests create other sessions at the same time. */
async function openAt(sample: SampleSession) {
  const at = `/v1/sessions/${sample.session}`;
  const { now: _now, ...snapshot } = await ask(server, { method: 'GET', path: at });
  return [snapshot, await ask(server, { method: 'GET', path: `${at}/rules` })];
}

it('[AUTH-2] answers a caller of another workspace or session as if the session did not exist', async () => {
  const strangers = [
    await sign({ scopes: ALL_BUT_ADMIN, workspace: 'other' }),
    await sessionToken(elsewhere.session, ...ALL_BUT_ADMIN),
  ];
  const inASession = TARGETS.filter((target) => target.pattern.includes(':id'));
  for (const token of strangers) {
    // A route for administrators alone refuses before the server looks for the session.
    for (const target of inASession.filter((each) => whoMay(each).length > 1)) {
      const there = validRequest(target, guarded);
      const nowhere = { ...there, path: there.path.replace(guarded.session, 'never-was') };
      const [first, second] = await Promise.all(
        [there, nowhere].map(async (request) => {
          const { text, status } = await send(server, { ...request, token });
          return { status, text: text.replace(/"requestId":"\w+"/, '') };
        }),
      );
      expect(first).toEqual(second);
      expect([404, ...(target.example.status === 426 ? [426] : [])]).toContain(first?.status);
    }
  }
});

it('[AUTH-2] shows another workspace nothing of this one', async () => {
  const token = await sign({ scopes: ['admin'], workspace: 'other' });
  for (const path of [
    '/v1/sessions',
    '/v1/inbox',
    '/v1/audit',
    '/v1/keys',
    '/v1/tokens',
    '/v1/settings',
    '/v1/groups',
    '/v1/rules',
    '/v1/people/Ada/quiet-hours',
  ]) {
    const { text } = await send(server, { method: 'GET', path, token });
    expect(text).not.toMatch(/place-|call-approval/);
    for (const id of [guarded.key, REVOKED.key.id, revokedToken.id]) expect(text).not.toContain(id);
  }
});

it('[LIM-4] is unharmed by all of it', async () => {
  await server.expectUnharmed();
});
