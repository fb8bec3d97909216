/**
 * [HOOK-1] `holdpoint hook` without a server that answers: whatever happens, it allows nothing.
 *
 * Claude Code and Codex run the tool after every exit code but 0 and 2, and after an empty output. A bug here looks like a
 * tool that runs because the server was restarting.
 */
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/protocol/types.ts';
import { runCli, startCli } from '../support/cli.ts';

const TOKEN = 'hp_secret_of_the_agent';
const ENV = { HOLDPOINT_URL: 'http://127.0.0.1:9', HOLDPOINT_TOKEN: TOKEN };
const CALL = {
  session_id: 'one',
  prompt_id: 'prompt-1',
  cwd: '/home/ada/app',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_use_id: 'toolu_1',
  tool_input: { command: 'make deploy' },
};

type Fetch = typeof globalThis.fetch;
const answers =
  (status: number, body: unknown): Fetch =>
  async () =>
    new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const refuses = (status: number, code: string) =>
  answers(status, { error: { code, message: 'No', requestId: 'r' } });
const unreachable: Fetch = async () => {
  throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
};

function run(body: unknown, fetch: Fetch, args: readonly string[] = [], env = ENV) {
  const stdin = typeof body === 'string' ? body : JSON.stringify(body);
  return runCli(['hook', '--give-up-after', '1', ...args], { stdin, env, fetch });
}

function decisionOf(out: string): unknown {
  const value: unknown = JSON.parse(out);
  if (!isObject(value) || !isObject(value.hookSpecificOutput)) return undefined;
  const { permissionDecision, decision, action } = value.hookSpecificOutput;
  return permissionDecision ?? (isObject(decision) ? decision.behavior : action);
}

const FAILURES: readonly (readonly [string, Fetch])[] = [
  ['is unreachable', unreachable],
  ['does not know the key', refuses(401, 'unauthenticated')],
  ['refuses the scope', refuses(403, 'forbidden')],
  ['is another program', answers(200, 'hello')],
  ['answers nonsense', answers(200, { session: 1, interaction: 'yes', decision: 'allow' })],
  ['has a fault', refuses(500, 'internal')],
];

const EVENTS = [
  [{ hook_event_name: 'PreToolUse' }, 'deny'],
  [{ hook_event_name: 'PermissionRequest', tool_use_id: undefined }, 'deny'],
  [
    {
      hook_event_name: 'Elicitation',
      mcp_server_name: 'x',
      message: 'm',
      requested_schema: { type: 'object' },
    },
    'cancel',
  ],
] as const;

it.each(FAILURES)(
  '[HOOK-1] denies in the form of the event if the server %s',
  async (_name, fetch) => {
    const stop = { ...CALL, hook_event_name: 'Stop', last_assistant_message: 'Done' };
    const [noted, ...asked] = await Promise.all([
      run(stop, fetch),
      ...EVENTS.map(([event]) => run({ ...CALL, ...event }, fetch)),
    ]);
    expect(noted).toMatchObject({ code: 0, out: '{}\n' });
    for (const [index, { code, out, err }] of asked.entries()) {
      expect([code, decisionOf(out)]).toEqual([0, EVENTS[index]?.[1]]);
      expect(out + err).not.toContain(TOKEN);
    }
  },
);

describe('[HOOK-1] without a server', () => {
  it('denies without a credential', async () => {
    const { code, out } = await run(CALL, unreachable, [], {
      HOLDPOINT_URL: ENV.HOLDPOINT_URL,
      HOLDPOINT_TOKEN: '',
    });
    expect([code, decisionOf(out)]).toEqual([0, 'deny']);
    // Exit code 2 would keep the agent from ending its turn.
    const stop = { ...CALL, hook_event_name: 'Stop', last_assistant_message: 'Done' };
    const ended = await run(stop, unreachable, [], { ...ENV, HOLDPOINT_TOKEN: '' });
    expect(ended).toMatchObject({ code: 0, out: '{}\n' });
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['cut JSON', '{"session_id":"one"'],
    ['a list', '[]'],
    ['no event', '{"session_id":"one"}'],
    ['no session', { ...CALL, session_id: '' }],
    ['no input', { ...CALL, tool_input: 'ls' }],
    ['a key twice', '{"session_id":"one","session_id":"two","hook_event_name":"Stop"}'],
  ])('ends with 2, which blocks, if stdin has %s', async (_name, body) => {
    const { code, out, err } = await run(body, unreachable);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^holdpoint hook: stdin is not/);
  });

  it('ends with 2 if stdin is too long', async () => {
    const { code, out } = await run(`{"a":"${'x'.repeat(17 * 1_024 * 1_024)}"}`, unreachable);
    expect([code, out]).toEqual([2, '']);
  });

  it('answers an unknown event with no opinion', async () => {
    const body = { session_id: 'one', hook_event_name: 'NewEvent' };
    expect(await run(body, unreachable)).toMatchObject({ code: 0, out: '{}\n' });
  });

  it('gives Codex the form of its permission requests', async () => {
    const body = { ...CALL, turn_id: 't', hook_event_name: 'PermissionRequest' };
    const { out } = await run(body, unreachable, ['codex']);
    expect(JSON.parse(out)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: expect.stringContaining('this was not run') },
      },
    });
  });

  it('leaves at once when its program was killed, and prints nothing', async () => {
    const never: Fetch = () => new Promise(() => undefined);
    const running = startCli(['hook'], { stdin: JSON.stringify(CALL), env: ENV, fetch: never });
    await new Promise((resolve) => setTimeout(resolve, 50));
    running.orphan();
    expect(await running.code).toBe(12);
    expect(running.out()).toBe('');
  });
});
