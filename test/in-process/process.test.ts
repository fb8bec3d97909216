/** A process lives as long as a caller in it waits, and no longer. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InProcessHost } from '../../src/in-process/index.ts';
import { sqliteFolder } from '../../src/in-process/sqlite.ts';
import { freshFolder } from './support/folder.ts';
import { inLongRun } from '../support/run-length.ts';

const HOOK = new URL('./support/sql-as-text.js', import.meta.url).href;

function start(script: string, ...args: readonly string[]) {
  const path = fileURLToPath(new URL(`./scripts/${script}.ts`, import.meta.url));
  const flags = ['--disable-warning=ExperimentalWarning', '--import', HOOK, path, ...args];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const untilPrinted = async (word: string) => {
    while (!output.includes(word)) await once(child.stdout, 'data');
  };
  return { child, ended, says: untilPrinted, said: () => output.trim().split('\n') };
}

describe('a process with sessions of its own', () => {
  it('[TRN-2] ends by itself when no caller waits for the answer', async () => {
    const { ended, said } = start('ask-and-leave');
    expect(await ended).toBe(0);
    expect(said()).toEqual(['asked']);
  });

  inLongRun(() => {
    it('[TRN-2, OUT-2] reports to the inbox of a folder before it ends', async () => {
      const folder = freshFolder();
      const { ended } = start('ask-and-leave', folder);
      expect(await ended).toBe(0);
      const host = new InProcessHost({ storage: sqliteFolder(folder) });
      const holdpoint = host.transport();
      expect(await holdpoint.inbox()).toMatchObject({ total: 1 });
      host.close();
    });

    it('[TRN-2, INT-8] stays while a caller waits, and ends after the outcome', async () => {
      const { ended, said } = start('ask-and-wait', '2');
      expect(await ended).toBe(0);
      expect(said()).toEqual(['asked', 'expired']);
    });

    it('[TRN-2, TIME-3] leaves its question to the next process when it is killed', async () => {
      const folder = freshFolder();
      const { child, ended, says } = start('ask-and-wait', '2', folder);
      await says('asked');
      child.kill('SIGKILL');
      await ended;
      const host = new InProcessHost({ storage: sqliteFolder(folder) });
      const holdpoint = host.transport();
      onTestFinished(() => host.close());
      const how = { waitSeconds: 20 };
      expect(await holdpoint.interaction('session-1', 'call-1~1', how)).toMatchObject({
        outcome: 'expired',
      });
      expect(await holdpoint.inbox()).toMatchObject({ total: 0 });
    });
  });
});
