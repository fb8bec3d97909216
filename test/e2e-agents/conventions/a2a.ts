/**
 * A2A: an agent behind the real request handler and express, with the real client beside it. People answer in Holdpoint; or,
 * where the tasks are kept, another client of the agent answers over A2A with a key of its own. While the agent is dead there is
 * no one to send that answer to: then the person answers in Holdpoint.
 */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { deserialize } from 'node:v8';
import { existsSync, readFileSync } from 'node:fs';
import type { AgentStage } from '../agent-stage.ts';
import type { Convention, ProgramOf } from '../convention.ts';
import { bundleClient, bundleProgram } from './node-programs.ts';

const PINS = {
  '@a2a-js/sdk': '1.3.0',
  express: '5.1.0',
  ai: '7.0.170',
  '@ai-sdk/openai': '3.0.141',
  zod: '4.6.7',
};
let client = '';

export const A2A: Convention = {
  name: 'a2a',
  title: 'A2A 1.3.0',
  prepare: () => prepare('example'),
  runCall: (command) => ({ name: 'run', input: { command } }),
  questionCall: (questions) => ({ name: 'ask_human', input: { questions } }),
  impossible: {},
  carriesReason: true,
};

export const A2A_KEPT: Convention = {
  ...A2A,
  name: 'a2a-kept',
  title: 'A2A 1.3.0, tasks kept, answering over A2A',
  async prepare(stage) {
    client = await bundleClient('a2a', PINS);
    const token = await stage.mintKey('a2a client', ['answer', 'read', 'send']);
    const programOf = await prepare('kept');
    return async (scene, prompt) => {
      const { file, args, env } = await programOf(scene, prompt);
      const more = { ...env, A2A_ANSWER_TOKEN: token };
      ports.set(scene, env?.PORT ?? '');
      return { file, args: [...args, tasksOf(stage, scene)], env: more };
    };
  },

  async giveAnswer(stage, scene, asked, answer) {
    const url = `http://127.0.0.1:${ports.get(scene)}`;
    const isAlive = await fetch(url).then(
      () => true,
      () => false,
    );
    if (!isAlive) return stage.person.answer(scene, asked, answer);
    const env = { A2A_URL: url, A2A_TASK: await taskThatAsks(stage, scene) };
    const program = { file: process.execPath, args: [client], env };
    stage.transcript.line('person', `in A2A: ${JSON.stringify(answer)}`);
    const running = stage.startClient(scene, program, `${JSON.stringify(answer)}\n`);
    const { code, output } = await running.end();
    const { status } = await stage.person.transport.interaction(scene, asked.interactionId);
    if (status !== 'settled') throw new Error(`The client ended (${code}): ${output.slice(-500)}`);
  },
};

const ports = new Map<string, string>();

async function prepare(name: string): Promise<ProgramOf> {
  const file = await bundleProgram('a2a', `test/e2e-agents/conventions/a2a/${name}.js`, PINS);
  return async (_scene, prompt) => ({
    file: process.execPath,
    args: [file, prompt],
    env: { PORT: String(await freePort()) },
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function tasksOf(stage: AgentStage, scene: string): string {
  return path.join(stage.folder, `${scene}.kept`);
}

/** A person is asked a moment before the task shows it. */
async function taskThatAsks(stage: AgentStage, scene: string): Promise<string> {
  const file = tasksOf(stage, scene);
  const inputRequired = 6;
  for (let tries = 0; tries < 600; tries += 1) {
    const { tasks } = existsSync(file) ? deserialize(readFileSync(file)) : { tasks: new Map() };
    for (const { id, status } of (tasks as Map<string, KeptTask>).values()) {
      if (status.state === inputRequired) return id;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('No kept task asks');
}

interface KeptTask {
  readonly id: string;
  readonly status: { readonly state: number };
}
