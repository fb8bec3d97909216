/**
 * Requests, sockets and raw bytes from a fuzzer; `npm run faults -- fuzz` makes more of them. The rules for a response
 * are in test/fuzz/answer-oracle.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runFuzz } from '../fuzz/fuzz-run.ts';
import { countFor } from '../support/run-length.ts';

const SEED = 'swift';
const CASES = countFor({ quick: 800, long: 7_200 });
const ASKED_AT_LEAST = countFor({ quick: 1, long: 6 });
const UNSERVED_AT_MOST = countFor({ quick: 24, long: 2 });
/** Generous: on a machine that is busy with other tests, a slow response does not hang. */
const GIVE_UP_AFTER_MS = 60_000;
/** Under half a minute; several times that on such a machine. */
const TIMEOUT_MS = 300_000;

/**
 * No agent has a turn here, no person signs in, votes or is invited, no decision can be taken back, nothing was delivered or can
 * be signed, and the names of the page's files cannot be guessed.
 */
const HAVE_NOTHING = new Set([
  'POST /v1/sessions/:id/tool-calls/:toolCallId/result',
  'POST /v1/sessions/:id/retry',
  'POST /v1/sessions/:id/conversation/restore',
  'POST /v1/targets/:targetId/deliveries/:deliveryId/redeliver',
  'POST /v1/inbound/:targetId/:deliveryId',
  'POST /v1/inbound/slack/:targetId',
  'GET /links/:token',
  'POST /links/:token',
  'DELETE /v1/devices/:deviceId',
  'POST /v1/devices/:deviceId/test',
  'GET /assets/:name',
  'POST /v1/sessions/:id/interactions/:iid/complete',
  'POST /v1/sessions/:id/interactions/:iid/undo',
  'POST /v1/sessions/:id/interactions/:iid/withdraw',
  'GET /v1/people/:subject',
  'PATCH /v1/people/:subject',
  'DELETE /v1/people/:subject',
  'POST /v1/people/admin-link',
  'DELETE /v1/me/sign-ins/:signInId',
  'DELETE /v1/me/tokens/:tokenId',
  'DELETE /v1/sign-ins/:signInId',
  'DELETE /v1/rules/:ruleId',
  'GET /auth/login',
  'POST /auth/login',
  'GET /auth/callback',
  'POST /auth/logout',
  'POST /v1/invitations/accept',
]);

it(
  '[LIM-1, LIM-4] answers odd requests as documented, and none with a failure',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-fuzz-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const { cases, findings, tally } = await runFuzz({
      cases: CASES,
      seed: SEED,
      dataDir,
      giveUpAfterMs: GIVE_UP_AFTER_MS,
    });
    expect(findings).toEqual([]);
    expect(cases).toBe(CASES);
    // A refused batch is not tried in its parts.
    const unserved = tally.neverServed.filter((route) => !HAVE_NOTHING.has(route));
    expect(unserved.length, unserved.join()).toBeLessThanOrEqual(UNSERVED_AT_MOST);
    for (const [route, { asked }] of tally.routes)
      expect(asked, route).toBeGreaterThanOrEqual(ASKED_AT_LEAST);
  },
  TIMEOUT_MS,
);
