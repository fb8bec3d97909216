/**
 * Rules of a workspace and of its sessions, through the routes.
 *
 * A bug here looks like a call that runs because of a rule that no administrator made, a rule that denies and is passed,
 * or a decision by a rule that no one finds.
 */
import { expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { ask, expectRefused, send } from '../support/http/call.ts';
import { keyWith, sign } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';

const server = await startRoutes();
const agent = await keyWith('agent');
const ann = await sign({ kind: 'person', subject: 'Ann', scopes: ['read', 'answer'] });
let count = 0;

/** A session reports to its workspace a moment after its reply. */
function eventually(check: () => Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 30_000, interval: 25 });
}

async function newSession(): Promise<string> {
  count += 1;
  const id = `rules-${count}-${Date.now()}`;
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id } });
  return id;
}

function open(session: string, input: JsonObject, toolName = 'Bash'): Promise<JsonObject> {
  const path = `/v1/sessions/${session}/interactions`;
  const offers = ['once', 'session'];
  const json = { kind: 'approval', toolName, input, offers };
  return ask(server, { method: 'POST', path, token: agent, json });
}

function make(json: JsonObject, path = '/v1/rules', token?: string) {
  return send(server, { method: 'POST', path, json, ...(token !== undefined && { token }) });
}

type Made = JsonObject & { readonly id: string };

async function made(json: JsonObject): Promise<Made> {
  const { rule } = await ask(server, { method: 'POST', path: '/v1/rules', json });
  return rule as Made;
}

const revoke = (id: string) => send(server, { method: 'DELETE', path: `/v1/rules/${id}` });
const idOf = (opened: JsonObject) => (opened.interaction as JsonObject).interactionId as string;

it('[TEAM-2, GATE-1] a rule of the workspace decides in every session, and says so', async () => {
  const rule = await made({ effect: 'allow', toolName: 'Bash', command: 'npm test' });
  const session = await newSession();
  const decided = await open(session, { command: 'npm test -- x' });
  const by = { rule: rule.id, scope: 'workspace', createdBy: 'admin', pattern: 'Bash: npm test …' };
  expect(decided.decision).toMatchObject({ behavior: 'allow', by });
  expect(await open(session, { command: 'npm test; rm -rf /' })).toHaveProperty('interaction');
  await eventually(async () => {
    const audit = await send(server, { method: 'GET', path: '/v1/audit?limit=50' });
    const { entries } = JSON.parse(audit.text) as { entries: JsonObject[] };
    expect(entries).toContainEqual(
      expect.objectContaining({
        what: 'gate',
        sessionId: session,
        rule: rule.id,
        ruleScope: 'workspace',
        named: 'admin',
        pattern: 'Bash: npm test …',
        outcome: 'approved',
      }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({ what: 'rule', change: 'created', rule: rule.id, effect: 'allow' }),
    );
  });
  expect((await revoke(rule.id)).status).toBe(204);
  expect(await open(session, { command: 'npm test -- y' })).toHaveProperty('interaction');
});

it('[TEAM-2, GATE-1] a rule that denies or asks counts in a session that bypasses approvals', async () => {
  const deny = await made({
    effect: 'deny',
    toolName: 'Bash',
    command: 'rm -rf',
    reason: 'Ask ops',
  });
  const wants = await made({ effect: 'ask', toolName: 'Bash', command: 'git push' });
  const session = await newSession();
  const json = { permissionMode: 'bypassPermissions' };
  await ask(server, { method: 'PATCH', path: `/v1/sessions/${session}`, json });
  expect((await open(session, { command: 'ls' })).decision).toMatchObject({ behavior: 'allow' });
  const denied = await open(session, { command: 'sudo rm -rf /' });
  expect(denied.decision).toMatchObject({
    behavior: 'deny',
    message: expect.stringContaining('Ask ops'),
    by: { rule: deny.id },
  });
  const asked = await open(session, { command: 'git push' });
  expect(asked.interaction).toMatchObject({ askedBy: { rule: wants.id, scope: 'workspace' } });
  const unclear = await open(session, { command: 'bash -c "$X"' });
  expect(unclear.interaction).toMatchObject({ askedBy: { rule: deny.id } });
  await revoke(deny.id);
  await revoke(wants.id);
});

it('[TEAM-2] an answerer makes no rule of the workspace, and none that allows without an offer', async () => {
  const session = await newSession();
  const at = `/v1/sessions/${session}/rules`;
  const allow = { effect: 'allow', toolName: 'Read' };
  expectRefused(await make(allow, '/v1/rules', ann), 'forbidden');
  expectRefused(await make(allow, '/v1/rules/try', ann), 'forbidden');
  expectRefused(await make(allow, at, ann), 'forbidden');
  expect((await make({ ...allow, effect: 'deny' }, at, ann)).status).toBe(201);
  const list = await ask(server, { method: 'GET', path: at });
  const [rule] = list.rules as Made[];
  expect(rule).toMatchObject({ effect: 'deny', createdBy: 'Ann' });
  const one = `${at}/${rule?.id}`;
  expectRefused(await send(server, { method: 'DELETE', path: one, token: ann }), 'forbidden');
  expect((await send(server, { method: 'DELETE', path: one })).status).toBe(200);
});

it('[TEAM-2] an agent makes, tries and revokes none, with any body', async () => {
  const session = await newSession();
  const rule = await made({ effect: 'deny', toolName: 'Launch' });
  for (const effect of ['allow', 'ask', 'deny']) {
    for (const path of ['/v1/rules', '/v1/rules/try', `/v1/sessions/${session}/rules`]) {
      const refused = await make({ effect, toolName: 'Bash', everyCommand: true }, path, agent);
      expectRefused(refused, 'forbidden');
    }
  }
  const path = `/v1/rules/${rule.id}`;
  expectRefused(await send(server, { method: 'DELETE', path, token: agent }), 'forbidden');
  await revoke(rule.id);
});

it('[TEAM-2] any input of a shell needs a second field, on every way to a rule', async () => {
  const session = await newSession();
  const interactionId = idOf(await open(session, { command: 'ls' }));
  const answers = `/v1/sessions/${session}/interactions/${interactionId}/answer`;
  const any = { effect: 'allow', toolName: 'Bash' };
  for (const refused of [
    await make(any),
    await make(any, `/v1/sessions/${session}/rules`),
    await make({ decision: 'approve', offer: 'session' }, answers, ann),
    await make({ decision: 'approve', offer: 'session', rule: {} }, answers, ann),
  ]) {
    expectRefused(refused, 'invalid_values');
    expect(refused.text).toContain('everyCommand');
  }
});

it('[APR-3] an answerer allows a prefix for the session, and it must be about this input', async () => {
  const session = await newSession();
  const interactionId = idOf(await open(session, { command: 'make -j8 all' }));
  const path = `/v1/sessions/${session}/interactions/${interactionId}/answer`;
  const answer = (rule: JsonObject) =>
    make({ decision: 'approve', offer: 'session', rule }, path, ann);
  for (const rule of [
    { command: 'npm test' },
    { command: 'make' },
    { command: 'make &&' },
    { path: 'src/**' },
    { command: 'make', host: 'a.org' },
    { command: 'make', expiresAt: 1 },
  ]) {
    expectRefused(await answer(rule), 'invalid_values');
  }
  expectRefused(await answer({ toolName: 'Read' }), 'invalid_answer');
  const expiresAt = Date.now() + 60_000;
  expect((await answer({ command: 'make -j8 all', expiresAt, reason: 'Today' })).status).toBe(200);
  const { decision } = await open(session, { command: 'make -j8 all test' });
  expect(decision).toMatchObject({
    by: { createdBy: 'Ann', scope: 'session', pattern: 'Bash: make -j8 all …' },
  });
  const listed = await ask(server, { method: 'GET', path: `/v1/sessions/${session}/rules` });
  expect(listed.rules).toMatchObject([
    { command: 'make -j8 all', expiresAt, reason: 'Today', interactionId },
  ]);
});

it('[TEAM-2] a rule made from a request allows that very request, in a session of this workspace', async () => {
  const session = await newSession();
  const opened = await open(session, { file_path: '/app/src/a.ts', content: '' }, 'Write');
  const from = { sessionId: session, interactionId: idOf(opened) };
  const rule = { effect: 'allow', toolName: 'Write', path: '/app/src/**' };
  expectRefused(await make({ ...rule, path: '/app/lib/**', from }), 'invalid_values');
  expectRefused(await make({ ...rule, toolName: 'Edit', from }), 'invalid_values');
  expectRefused(await make({ ...rule, effect: 'deny', from }), 'invalid_values');
  const unknown = { ...from, interactionId: 'none~1' };
  expectRefused(await make({ ...rule, from: unknown }), 'not_found');
  expectRefused(await make({ ...rule, from: { ...from, sessionId: 'none' } }), 'not_found');
  expect(await made({ ...rule, from })).toMatchObject({ ...rule, ...from });
});

it('[TEAM-2] lists the rules of workspace and sessions, with their uses', async () => {
  const session = await newSession();
  const rule = await made({ effect: 'allow', toolName: 'Glob' });
  await make({ effect: 'deny', toolName: 'LS' }, `/v1/sessions/${session}/rules`);
  await open(session, { pattern: '*' }, 'Glob');
  await eventually(async () => {
    const { rules } = await ask(server, { method: 'GET', path: '/v1/rules', token: ann });
    expect(rules).toContainEqual(
      expect.objectContaining({
        scope: 'workspace',
        session: null,
        rule,
        pattern: 'Glob: any input',
        used: { count: 1, lastAt: expect.any(Number) },
      }),
    );
    expect(rules).toContainEqual(
      expect.objectContaining({
        scope: 'session',
        session: { id: session, title: null },
        used: null,
      }),
    );
  });
  const pages = [];
  for (let after = ''; ; ) {
    const page = await ask(server, { method: 'GET', path: `/v1/rules?limit=1${after}` });
    pages.push(...(page.rules as JsonObject[]));
    if (page.next === undefined) break;
    after = `&after=${page.next as string}`;
  }
  const whole = await ask(server, { method: 'GET', path: '/v1/rules' });
  expect(pages).toEqual(whole.rules);
  await ask(server, { method: 'DELETE', path: `/v1/sessions/${session}` });
  await eventually(async () => {
    const { rules } = await ask(server, { method: 'GET', path: '/v1/rules' });
    expect(JSON.stringify(rules)).not.toContain(session);
  });
  await revoke(rule.id);
});

it('[TEAM-2] shows what a rule would have made of the last requests', async () => {
  const session = await newSession();
  const opened = await open(session, { command: 'deploy staging' });
  await open(session, { command: 'deploy production' });
  await open(session, { command: 'deploy $X' });
  await open(session, { content: 'x'.repeat(9_000), command: `deploy ${'x'.repeat(9_000)}` });
  await eventually(async () => {
    const json = { effect: 'allow', toolName: 'Bash', command: 'deploy staging' };
    const trial = await ask(server, { method: 'POST', path: '/v1/rules/try', json });
    expect(trial.requests).toEqual([
      {
        sessionId: session,
        sessionTitle: null,
        interactionId: idOf(opened),
        at: expect.any(Number),
        toolName: 'Bash',
        input: 'deploy staging',
        before: 'asked',
        after: 'allowed',
      },
    ]);
    expect(trial).toMatchObject({ changed: 1, becomes: { allowed: 1, asked: 0, denied: 0 } });
    expect(trial.notTried).toBe(1);
  });
  const deny = { effect: 'deny', toolName: 'Bash', command: 'deploy' };
  const trial = await ask(server, { method: 'POST', path: '/v1/rules/try', json: deny });
  expect(trial.becomes).toMatchObject({ denied: 3 });
  const exact = { effect: 'deny', toolName: 'Bash', input: { command: 'deploy staging' } };
  const one = await ask(server, { method: 'POST', path: '/v1/rules/try', json: exact });
  expect(one.becomes).toMatchObject({ denied: 1 });
  expectRefused(await make({ ...deny, command: 'a;b' }, '/v1/rules/try'), 'invalid_values');
});

it('[TEAM-2] has room for as many rules as are published', async () => {
  const wanted = (at: number) => make({ effect: 'deny', toolName: `Tool${at}` });
  const ids: string[] = [];
  for (let at = 0; ; at += 1) {
    const reply = await wanted(at);
    if (reply.status !== 201) {
      expectRefused(reply, 'limit_reached');
      break;
    }
    ids.push((JSON.parse(reply.text) as { rule: Made }).rule.id);
  }
  expect((await wanted(0)).status).toBe(201);
  for (const id of ids) await revoke(id);
  expectRefused(await revoke(ids[0] ?? ''), 'not_found');
});
