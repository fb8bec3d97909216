/** Runs the programs of docs/in-process.md and the example unchanged, as a reader copies them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { bundleExample } from '../support/bundle-example.ts';
import { inLongRun } from '../support/run-length.ts';

async function run(entry: string, reply = '') {
  const { file, remove } = await bundleExample(entry);
  onTestFinished(remove);
  const { ANTHROPIC_API_KEY: _, ...env } = process.env;
  const child = spawn(process.execPath, [file], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString();
    if (text.includes('Allow it?')) child.stdin.end(`${reply}\n`);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

describe('the page about sessions in a process', () => {
  const page = readFileSync(path.join(ROOT, 'docs/in-process.md'), 'utf8');
  const programs = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  const runProgram = (at: number) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-page-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const entry = path.join(folder, `program-${at}.ts`);
    writeFileSync(entry, programs[at] ?? '');
    return run(entry);
  };

  it('[TRN-2] has two programs', () => expect(programs).toHaveLength(2));

  it('[TRN-2] asks, approves and receives the outcome', async () => {
    expect(await runProgram(0)).toEqual({ code: 0, output: 'approved\n' });
  });

  inLongRun(() => {
    it('[TRN-2, RUN-1] runs the built-in agent to its end', async () => {
      expect(await runProgram(1)).toEqual({ code: 0, output: 'completed\nhello.md\n' });
    });
  });
});

inLongRun(() => {
  describe('the example of an agent in a process', () => {
    it.each([
      ['y', /Allow it\?[\s\S]*The turn ended: completed\nThe agent wrote hello\.md\n$/],
      ['n', /Not today[\s\S]*The turn ended: completed\n$/],
    ])('[TRN-2, GATE-2] does what the terminal says: %s', async (reply, expected) => {
      const { code, output } = await run('examples/in-process-agent/agent.ts', reply);
      expect(code).toBe(0);
      expect(output).toMatch(expected);
    });
  });
});
