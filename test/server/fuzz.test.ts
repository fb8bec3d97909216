/**
 * A thousand requests, sockets and lumps of bytes that a fuzzer made; `npm run faults -- fuzz` makes as many as
 * one likes. What an answer must be is in test/fuzz/answer-oracle.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runFuzz } from '../fuzz/fuzz-run.ts';

const SEED = 'short';
/** On a machine that is busy with other tests, what is slow does not hang. */
const GIVE_UP_AFTER_MS = 10_000;
/** About 8 seconds; several times that on such a machine. */
const TIMEOUT_MS = 120_000;

/** No agent has a turn in these sessions, and nobody can guess the name of a file of the page. */
const HAVE_NOTHING = new Set([
  'POST /v1/sessions/:id/tool-calls/:toolCallId/result',
  'POST /v1/sessions/:id/retry',
  'GET /assets/:name',
]);

it(
  '[LIM-1, LIM-4] answers a thousand odd requests as documented, and none with a failure',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-fuzz-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const { cases, findings, tally } = await runFuzz({
      cases: 1_000,
      seed: SEED,
      dataDir,
      giveUpAfterMs: GIVE_UP_AFTER_MS,
    });
    expect(findings).toEqual([]);
    expect(cases).toBe(1_000);
    // What is refused as a whole is not tried in its parts.
    const unserved = tally.neverServed.filter((route) => !HAVE_NOTHING.has(route));
    expect(unserved.length, unserved.join()).toBeLessThan(3);
    for (const [route, { asked }] of tally.routes) expect(asked, route).toBeGreaterThan(5);
  },
  TIMEOUT_MS,
);
