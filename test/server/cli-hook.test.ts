/**
 * [HOOK-1, HOOK-3] `holdpoint hook` and `holdpoint doctor` against a server: a hook waits for a person, and a program that
 * stops takes its question back.
 */
import { expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { startCli } from '../support/cli.ts';
import { ask, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';

const server = await startRoutes();
const env = { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: await keyWith('agent') };
const { fetch = globalThis.fetch } = server;
let conversations = 0;

function converse() {
  conversations += 1;
  const id = `command-${conversations}`;
  return {
    start: (body: JsonObject, args: readonly string[] = []) =>
      startCli(['hook', ...args], {
        stdin: JSON.stringify({ session_id: id, prompt_id: 'p', cwd: '/w/app', ...body }),
        env,
        fetch,
      }),
    open: (count = 1) => openIn(`claude-code:${id}`, count),
    session: `claude-code:${id}`,
  };
}

async function openIn(session: string, count = 1): Promise<JsonObject[]> {
  return vi.waitFor(
    async () => {
      const path = `/v1/sessions/${session}/interactions`;
      const reply = await send(server, { method: 'GET', path });
      const { interactions = [] } = JSON.parse(reply.text) as { interactions?: JsonObject[] };
      expect(interactions).toHaveLength(count);
      return interactions;
    },
    { timeout: 20_000 },
  );
}

async function answer(session: string, { interactionId }: JsonObject, json: JsonObject) {
  const path = `/v1/sessions/${session}/interactions/${interactionId as string}/answer`;
  await ask(server, { method: 'POST', path, json });
}

const CALL = {
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_use_id: 'toolu_1',
  tool_input: { command: 'make deploy' },
};
const decisionOf = (out: string) =>
  (JSON.parse(out) as { hookSpecificOutput: JsonObject }).hookSpecificOutput;

it('[HOOK-1] a person changes the input of a command hook', async () => {
  const { start, open, session } = converse();
  const running = start(CALL);
  const [asked = {}] = await open();
  await answer(session, asked, { decision: 'approve', updatedInput: { command: 'make check' } });
  expect(await running.code).toBe(0);
  expect(decisionOf(running.out())).toMatchObject({
    permissionDecision: 'allow',
    updatedInput: { command: 'make check' },
    additionalContext: expect.stringContaining('make check'),
  });
});

it('[HOOK-1] a program that stops its hook takes the question back', async () => {
  const { start, open } = converse();
  const running = start(CALL);
  await open();
  running.interrupt();
  expect(await running.code).toBe(0);
  expect(decisionOf(running.out())).toMatchObject({ permissionDecision: 'deny' });
  await open(0);
});

it('[HOOK-1] a program that stops only the shell of its hook takes the question back', async () => {
  const { start, open } = converse();
  const running = start(CALL);
  await open();
  running.stopShell();
  expect(await running.code).toBe(0);
  expect(decisionOf(running.out())).toMatchObject({ permissionDecision: 'deny' });
  await open(0);
});

it('[HOOK-1] each permission request is a question of its own', async () => {
  const { start, open, session } = converse();
  const permission = { ...CALL, hook_event_name: 'PermissionRequest' };
  const all = [start(permission), start(permission)];
  const asked = await open(2);
  for (const [index, one] of asked.entries()) {
    await answer(session, one, { decision: index === 0 ? 'approve' : 'deny' });
  }
  await Promise.all(all.map(({ code }) => code));
  const behaviors = all.map(
    (running) => (decisionOf(running.out()).decision as JsonObject).behavior,
  );
  expect(new Set(behaviors)).toEqual(new Set(['allow', 'deny']));
});

it('[HOOK-1] with --defer the question stays open, and the resumed call finds the answer', async () => {
  const { start, open, session } = converse();
  const first = start(CALL, ['--defer', '--wait', '1']);
  expect(await first.code).toBe(0);
  expect(decisionOf(first.out())).toMatchObject({ permissionDecision: 'defer' });
  const [asked = {}] = await open();
  await answer(session, asked, { decision: 'approve' });
  const second = start(CALL, ['--defer', '--wait', '1']);
  expect(await second.code).toBe(0);
  expect(decisionOf(second.out())).toMatchObject({ permissionDecision: 'allow' });
});

it('[HOOK-1, ADP-2] an answer that came after a kill is taken by the resumed conversation, once', async () => {
  const { start, open, session } = converse();
  const first = start(CALL, ['--defer', '--wait', '1']);
  expect(await first.code).toBe(0);
  const [asked = {}] = await open();
  await answer(session, asked, { decision: 'approve' });
  const second = start({ ...CALL, tool_use_id: 'toolu_2', prompt_id: 'q' });
  expect(await second.code).toBe(0);
  expect(decisionOf(second.out())).toMatchObject({ permissionDecision: 'allow' });
  const third = start({ ...CALL, tool_use_id: 'toolu_3', prompt_id: 'r' });
  await open();
  third.interrupt();
  await third.code;
});

it('[HOOK-1, ADP-2] an answer within the moment of a kill is left to the resumed conversation', async () => {
  const { start, open, session } = converse();
  const first = start(CALL);
  const [asked = {}] = await open();
  first.orphanUnseen();
  await answer(session, asked, { decision: 'approve' });
  expect(await first.code).toBe(12);
  expect(first.out()).toBe('');
  const second = start({ ...CALL, tool_use_id: 'toolu_2', prompt_id: 'q' });
  expect(await second.code).toBe(0);
  expect(decisionOf(second.out())).toMatchObject({ permissionDecision: 'allow' });
});

it('[HOOK-1, ADP-2] a killed program whose question the resumed conversation has asks nothing more', async () => {
  const { start, open, session } = converse();
  const first = start(CALL);
  const [asked = {}] = await open();
  first.orphanUnseen();
  const second = start({ ...CALL, tool_use_id: 'toolu_2', prompt_id: 'q' });
  expect(await first.code).toBe(12);
  await answer(session, asked, { decision: 'approve' });
  expect(await second.code).toBe(0);
  expect(decisionOf(second.out())).toMatchObject({ permissionDecision: 'allow' });
  await open(0);
});

it('[HOOK-2] notes the end of a turn', async () => {
  const { start, open, session } = converse();
  const running = start(CALL);
  const [asked = {}] = await open();
  await answer(session, asked, { decision: 'deny' });
  await running.code;
  const stop = start({ hook_event_name: 'Stop', last_assistant_message: 'All done.' });
  expect([await stop.code, stop.out()]).toEqual([0, '{}\n']);
  const { events } = await ask(server, { method: 'GET', path: `/v1/sessions/${session}/events` });
  expect(events).toContainEqual(expect.objectContaining({ payload: { text: 'All done.' } }));
});

it('[HOOK-3] doctor opens a real question and takes it back, or waits for its answer', async () => {
  const tried = startCli(['doctor', '--ask'], { env, fetch });
  await tried.code;
  expect(tried.out()).toMatch(/ok {3}question {3}asked and took back doctor\/doctor-/);
  const waiting = startCli(['doctor', '--answer'], { env, fetch });
  const [asked = {}] = await openIn('doctor');
  await answer('doctor', asked, { answers: { '0': 'Yes' } });
  await waiting.code;
  expect(waiting.out()).toMatch(/ok {3}question {3}answered by /);
  expect(tried.out() + waiting.out() + waiting.err()).not.toContain(env.HOLDPOINT_TOKEN);
});

it('[LIM-4] is unharmed by all of it', async () => {
  await server.expectUnharmed();
});
