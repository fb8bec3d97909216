/** The built-in agent of sessions in a process: the same turns as on a server; a closed host leaves no turn running. */
import dns from 'node:dns/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Transport } from '../../src/client/transport.ts';
import type { Model, ModelOutcome } from '../../src/agent/model.ts';
import { demoModel } from '../../src/in-process/anthropic.ts';
import { type AgentModel, InProcessHost } from '../../src/in-process/index.ts';
import { sqliteFolder } from '../../src/in-process/sqlite.ts';
import type { SessionEvent } from '../../src/protocol/types.ts';
import { LiveSession } from '../../src/in-process/session-host.ts';
import { roleIdentity, OWNER, RoleSchema } from '../../src/in-process/role.ts';
import { freshId } from '../../src/platform/fresh-id.ts';
import { MemorySessionStore } from '../../src/platform/memory/session-store.ts';
import { microtasks } from '../support/hand-queue.ts';
import { calls, ScriptedModel, textOutcome } from '../support/scripted-model.ts';
import { freshFolder } from './support/folder.ts';
import { refusal } from './support/questions.ts';
import { hashNatively } from '../../src/protocol/history-digest.ts';

function start(options: ConstructorParameters<typeof InProcessHost>[0]) {
  const host = new InProcessHost(options);
  onTestFinished(() => host.close());
  return { host, person: host.transport() };
}

function follow(transport: Transport, sessionId: string): SessionEvent[] {
  const events: SessionEvent[] = [];
  transport.subscribe(sessionId, { events: (some) => void events.push(...some) });
  return events;
}

/** Answers nothing until it is aborted. */
function silentModel() {
  const signals: AbortSignal[] = [];
  const port: Model = {
    call: (_request, { signal }) =>
      new Promise<ModelOutcome>((resolve) => {
        signals.push(signal);
        signal.addEventListener('abort', () => resolve({ type: 'aborted' }));
      }),
  };
  const model: AgentModel = { port, name: 'silent' };
  return { model, signals };
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 10 });

it('[TRN-2, RUN-1, GATE-2] asks before it writes, and writes the file after the approval', async () => {
  const { person } = start({ model: demoModel() });
  const { id } = await person.createSession({ agent: {} });
  const events = follow(person, id);
  await person.sendMessage(id, 'write').routed;
  await until(() => expect(events.some(({ type }) => type === 'interaction_request')).toBe(true));
  expect(await person.files(id)).toEqual([]);
  const [open] = (await person.snapshot(id)).open;
  await person.approveTool(id, open?.toolCallId ?? '');
  await until(() => expect(events.at(-1)).toMatchObject({ type: 'turn_ended' }));
  expect(await person.files(id)).toMatchObject([{ path: 'hello.md' }]);
  expect(await person.file(id, 'hello.md')).toMatchObject({ path: 'hello.md' });
});

it('[OUT-3, RUN-8] looks up the names of tools, and calls no private address', async () => {
  const found = [
    { address: '8.8.8.8', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ] as const;
  const lookup = vi.spyOn(dns, 'lookup').mockResolvedValue(found as never);
  onTestFinished(() => lookup.mockRestore());
  const port = new ScriptedModel().will(
    calls({ id: 'toolu_1', name: 'Mail', input: {} }),
    textOutcome('Done.'),
  );
  const { person } = start({ model: { port, name: 'scripted' } });
  const tool = {
    type: 'http',
    name: 'Mail',
    description: 'Writes.',
    inputSchema: { type: 'object' },
    url: 'https://tools.example.com/',
  } as const;
  const { id } = await person.createSession({
    permissionMode: 'bypassPermissions',
    agent: { tools: [tool] },
  });
  const events = follow(person, id);
  await person.sendMessage(id, 'Write').routed;
  await until(() => expect(events.at(-1)).toMatchObject({ type: 'turn_ended' }));
  expect(lookup).toHaveBeenCalledWith('tools.example.com', { all: true });
  expect(events.find(({ type }) => type === 'tool_result')).toMatchObject({
    payload: { isError: true, output: expect.stringContaining('leads to a private address') },
  });
});

it('[TRN-2, RUN-9] refuses a message to an agent without a model', async () => {
  const { person } = start({});
  const { id } = await person.createSession({ agent: {} });
  const error = await refusal(person.sendMessage(id, 'Hello').routed);
  expect(error).toMatchObject({ code: 'model_not_configured', retry: 'later' });
});

it('[TRN-1] a closed host stops its turns, and starts no other', async () => {
  const { model, signals } = silentModel();
  const { host, person } = start({ model });
  const { id } = await person.createSession({ agent: {} });
  await person.sendMessage(id, 'Hello').routed;
  await until(() => expect(signals).toHaveLength(1));
  host.close();
  expect(signals[0]?.aborted).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(signals).toHaveLength(1);
});

it('[TRN-2, RUN-10] a turn in a folder goes on in the next process', async () => {
  const folder = freshFolder();
  const { model, signals } = silentModel();
  const first = start({ storage: sqliteFolder(folder), model });
  const { id } = await first.person.createSession({ agent: {} });
  await first.person.sendMessage(id, 'Which scenarios are there?').routed;
  await until(() => expect(signals).toHaveLength(1));
  first.host.close();

  const second = start({ storage: sqliteFolder(folder), model: demoModel() });
  const events = follow(second.person, id);
  await until(() => expect(events.at(-1)).toMatchObject({ type: 'turn_ended' }));
  expect(events.at(-1)).toMatchObject({ payload: { reason: 'completed' } });
});

it('[TRN-2] a session with a working agent is not idle, and stays in memory', async () => {
  const { model, signals } = silentModel();
  const timers: (() => void)[] = [];
  const live = new LiveSession('session-1', {
    store: new MemorySessionStore(),
    alarm: { armedAt: null, arm: () => undefined },
    workspace: { report: async ({ head }) => head },
    agent: { model, httpTools: { call: () => expect.unreachable() }, allowPrivateTools: false },
    now: () => 1_700_000_000_000,
    freshId,
    hash: hashNatively,
    later: (_ms, work) => {
      timers.push(work);
      return () => {
        if (timers.includes(work)) timers.splice(timers.indexOf(work), 1);
      };
    },
    soon: queueMicrotask,
    warn: (message) => expect.unreachable(message),
  });
  const { caller } = roleIdentity(RoleSchema.parse(OWNER));
  const context = { caller, timeouts: {} };
  live.session.handle({ type: 'session.create', id: 'session-1', agent: {} }, context);
  live.session.handle({ type: 'message.send', text: 'Hello' }, context);
  await microtasks();
  for (const work of timers.splice(0)) work();
  await live.session.waitForReport();
  for (const work of timers.splice(0)) work();
  expect(signals).toHaveLength(1);
  expect(live.isIdle).toBe(false);
  live.end();
  await microtasks();
  expect(signals[0]?.aborted).toBe(true);
});
