/** Runs the unchanged example in a separate process, with the real SDK. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleExample } from '../support/bundle-example.ts';
import type { Scene } from './scenes/scene.ts';

export function playExample(sdkFolder: string): Scene {
  return {
    name: 'example',
    about: 'examples/claude-agent, as it is copied',
    async play(stage) {
      // Next to the SDK's node_modules, so that the example finds the package by its name.
      const folder = path.join(sdkFolder, 'example');
      const { file } = await bundleExample('examples/claude-agent/agent.ts', { folder });
      const prompt = stage.script('example', ({ step }) =>
        step === 0
          ? { text: 'I will.', tools: [{ name: 'Bash', input: { command: 'touch example.txt' } }] }
          : { text: 'Done.' },
      );
      const env = { ...stage.env, HOLDPOINT_SESSION: 'example' };
      const child = spawn(process.execPath, [file, prompt], { env, cwd: stage.work });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const ended = once(child, 'close');
      try {
        await stage.person.answerNext('example', { decision: 'approve' });
        const [code] = (await Promise.race([ended, sleep(60_000, ['late'])])) as [unknown];
        stage.transcript.line('agent.ts', output);
        const expected = 'waiting for Bash\napproved\nDone.\n';
        stage.transcript.check('it says what happens and ends', code === 0 && output === expected, {
          code,
          output,
        });
      } finally {
        child.kill('SIGKILL');
      }
    },
  };
}
