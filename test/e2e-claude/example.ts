/** Runs the unchanged example in a separate process, with the real SDK. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleExample } from '../support/bundle-example.ts';
import { call, done, linesOf, type Scene } from './scenes/scene.ts';
import type { Stage } from './stage.ts';

const END_MS = 60_000;

export function playExample(sdkFolder: string): Scene {
  return {
    name: 'example',
    about: 'examples/claude-agent, as it is copied',
    async play(stage) {
      const prompt = stage.script('example', ({ step }) =>
        step === 0 ? call('Bash', { command: 'touch example.txt' }) : done(),
      );
      const agent = await startExample(stage, sdkFolder, { session: 'example', prompt });
      try {
        await stage.person.answerNext('example', { decision: 'approve' });
        const ended = await agent.end();
        stage.transcript.line('agent.ts', ended.output);
        const expected = 'waiting for Bash\napproved\nDone.\n';
        const isWell = ended.code === 0 && ended.output === expected;
        stage.transcript.check('it says what happens and ends', isWell, ended);
      } finally {
        agent.kill();
      }
    },
  };
}

export function playKilled(sdkFolder: string, isAnsweredBetween: boolean): Scene {
  const session = isAnsweredBetween ? 'killed-answered' : 'killed';
  return {
    name: session,
    about: 'The agent is killed while it waits: its next process asks nobody again',
    async play(stage) {
      const { transcript, person } = stage;
      const file = `${session}.txt`;
      const prompt = stage.script(session, ({ step }) =>
        step === 0 ? call('Bash', { command: `echo ran >> ${file}` }) : done(),
      );
      const first = await startExample(stage, sdkFolder, { session, prompt });
      const asked = await person.asked(session);
      first.kill();
      transcript.line('host', '(killed)');
      const answer = () => person.answer(session, asked, { decision: 'approve' });
      await endedWait(stage, session, asked.interactionId);
      if (isAnsweredBetween) await answer();
      const second = await startExample(stage, sdkFolder, { session, prompt });
      try {
        if (!isAnsweredBetween) {
          await foundAgain(stage, session, asked.interactionId);
          await answer();
        }
        const ended = await second.end();
        transcript.line('agent.ts', ended.output);
        const ran = linesOf(stage, file);
        transcript.check('the command ran once', ran.join() === 'ran', { ran, ended });
        const count = await person.countAsked(session);
        transcript.check('a person was asked once', count === 1, count);
      } finally {
        second.kill();
      }
    },
  };
}

/** Until the server has seen that the killed agent is gone, and its first second is over. */
async function endedWait(stage: Stage, session: string, id: string): Promise<void> {
  await waitForRecord(stage, session, id, ({ agentWaiting }) => agentWaiting !== true);
  await sleep(1_500);
}

async function foundAgain(stage: Stage, session: string, id: string): Promise<void> {
  await waitForRecord(stage, session, id, ({ reassignedTo }) => reassignedTo !== undefined);
}

type Found = Awaited<ReturnType<Stage['person']['transport']['interaction']>>;

async function waitForRecord(
  { person }: Stage,
  session: string,
  id: string,
  isIt: (record: Found) => boolean,
): Promise<void> {
  const until = Date.now() + END_MS;
  while (!isIt(await person.transport.interaction(session, id))) {
    if (Date.now() > until) throw new Error(`The record of ${session} did not change`);
    await sleep(100);
  }
}

interface RunningExample {
  end(): Promise<{ readonly code: unknown; readonly output: string }>;
  kill(): void;
}

async function startExample(
  stage: Stage,
  sdkFolder: string,
  { session, prompt }: { readonly session: string; readonly prompt: string },
): Promise<RunningExample> {
  // Next to the SDK's node_modules, so that the example finds the package by its name.
  const folder = path.join(sdkFolder, 'example');
  const { file } = await bundleExample('examples/claude-agent/agent.ts', { folder });
  const env = { ...stage.env, HOLDPOINT_SESSION: session };
  const child: ChildProcess = spawn(process.execPath, [file, prompt], { env, cwd: stage.work });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, 'close');
  return {
    async end() {
      const [code] = (await Promise.race([closed, sleep(END_MS, ['late'])])) as [unknown];
      return { code, output };
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
