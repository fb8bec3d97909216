/** The export of a session before its deletion. A bug here is half a log that is kept as if it were whole. */
import { afterEach, expect, it, vi } from 'vitest';
import { serverAdmin } from '../../../src/web/settings/admin/admin-requests.ts';

afterEach(() => vi.restoreAllMocks());

const EVENTS = Array.from({ length: 30 }, (_, n) => `${JSON.stringify({ seq: n + 1 })}\n`).join('');
const END = `${JSON.stringify({ end: true, head: 30 })}\n`;

function exporting(text: string): Promise<Blob> {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(text));
  return serverAdmin({ token: 'hp_token' }).exportSession('a/b');
}

it('[TEAM-9, LOG-10] has the log to its last line', async () => {
  const log = await exporting(EVENTS + END);
  expect(await log.text()).toBe(EVENTS + END);
  expect(fetch).toHaveBeenCalledWith('/v1/sessions/a%2Fb/export', expect.anything());
});

it.each([
  ['among its events', EVENTS],
  ['before anything came', ''],
  [
    'after a text of an agent that reads like its end',
    `${EVENTS}{"text":${JSON.stringify(END)}}\n`,
  ],
])('[TEAM-9, LOG-10] is refused where it broke off %s', async (_where, text) => {
  await expect(exporting(text)).rejects.toThrow('broke off');
});
