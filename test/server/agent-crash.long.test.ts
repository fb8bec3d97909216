/**
 * One kill at each boundary of a turn of the built-in agent; `npm run faults -- agent` kills more often.
 * test/faults/agent-crash/README.md lists the checks.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runAgentCrashTest } from '../faults/agent-crash/agent-crash-run.ts';
import { BOUNDARIES } from '../faults/agent-crash/boundaries.ts';

const SEED = 'short';
/** About 20 seconds; several times that on a machine that is busy with other things. */
const TIMEOUT_MS = 300_000;

it(
  '[RUN-1, RUN-2, RUN-3, RUN-4, RUN-6, RUN-7, RUN-8, COMPACT-2, COMPACT-3, COMPACT-6] ends every turn after any kill, and executes nothing twice',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-agent-crash-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const report = await runAgentCrashTest({
      kills: 1,
      workers: 2,
      seed: SEED,
      dataDir,
    });
    expect(report.findings).toEqual([]);
    expect(report.kills).toBe(BOUNDARIES.length);
  },
  TIMEOUT_MS,
);
