/**
 * The export of a log, with a session of the test. A bug here looks like a Worker that holds a whole log for a reader who does
 * not read, like an export that never ends while its session is busy, or like half a log that looks whole.
 */
import { describe, expect, it } from 'vitest';
import { logRoutes } from '../../src/http/routes/log.ts';
import { reject } from '../../src/protocol/errors.ts';
import { admin, reader } from '../support/callers.ts';

const PAGE = 100;

/** A session that logs one more event whenever a page is read. */
function busySession(length: number, breaksAt = Number.POSITIVE_INFINITY) {
  let head = length;
  const asked: number[] = [];
  const events = async (after: number) => {
    asked.push(after);
    if (after >= breaksAt) return reject('not_found', 'There is no such session');
    const count = Math.min(PAGE, head - after);
    const page = Array.from({ length: count }, (_, index) => ({
      seq: after + index + 1,
      at: 1,
      type: 'assistant_text',
      payload: { text: 'x'.repeat(1_000) },
    }));
    const value = JSON.stringify({ events: page, head, more: after + count < head });
    head += 1;
    return { ok: true, value };
  };
  const history = async () => ({ ok: true, value: '{"entries":[]}' });
  return { asked, session: { events, history } };
}

async function exporting(length: number, breaksAt?: number, caller = reader()) {
  const { asked, session } = busySession(length, breaksAt);
  const noted: number[] = [];
  const revoked: string[] = [];
  const clock = { now: 1_000 };
  const route = logRoutes.find(({ path }) => path.endsWith('/export'));
  const reply = await route?.handle({
    request: new Request('http://holdpoint.test/'),
    session,
    ports: {
      findSession: async () => ({ ok: true, session }),
      policy: { get: async () => ({ revoked, settings: {} }) },
      now: () => clock.now,
    },
    identity: { workspace: 'main', caller, chain: ['tok_slow', 'key_maker'], expiresAt: 2_000 },
    params: { id: 'demo' },
    workspace: { noteExport: async (_id: string, head: number) => void noted.push(head) },
  } as never);
  return { asked, noted, revoked, clock, response: reply as Response };
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq?: number });

describe('the export of a log', () => {
  it('[LOG-10] has every event up to the head at its start, and none that is logged while it is read', async () => {
    for (const length of [1, PAGE - 1, PAGE, 5 * PAGE, 5 * PAGE + 7]) {
      const { response } = await exporting(length);
      const lines = linesOf(await response.text());
      expect(lines.slice(0, -1).map(({ seq }) => seq)).toEqual(
        Array.from({ length }, (_, index) => index + 1),
      );
      expect(lines.at(-1)).toEqual({ end: true, head: length });
    }
  });

  it('[LOG-10] reads a page once its reader has taken the one before', async () => {
    const { asked, response } = await exporting(200 * PAGE);
    const chunks = response.body?.getReader();
    await chunks?.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(asked.length).toBeLessThanOrEqual(3);
    for (let read = 0; read < 10; read += 1) await chunks?.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(asked.length).toBeLessThanOrEqual(13);
    await chunks?.cancel();
  });

  it('[LOG-10] breaks where a page cannot be read, does not end as if it were whole, and is not noted', async () => {
    const { noted, response } = await exporting(10 * PAGE, 4 * PAGE, admin());
    await expect(response.text()).rejects.toThrow('There is no such session');
    expect(noted).toEqual([]);
  });

  it.each<[string, (exported: Awaited<ReturnType<typeof exporting>>) => void]>([
    ['expires', ({ clock }) => void (clock.now = 2_000)],
    ['is revoked', ({ revoked }) => void revoked.push('tok_slow')],
    ['loses its maker', ({ revoked }) => void revoked.push('key_maker')],
  ])('[AUTH-7] breaks off where the credential of a slow reader %s', async (_, end) => {
    const exported = await exporting(100 * PAGE, undefined, admin());
    const chunks = exported.response.body?.getReader();
    await chunks?.read();
    end(exported);
    const readOn = async () => {
      for (let read = 0; read < 5; read += 1) await chunks?.read();
    };
    await expect(readOn()).rejects.toThrow('not valid');
    expect(exported.asked.length).toBeLessThan(5);
    expect(exported.noted).toEqual([]);
  });

  it('[LOG-10] of an administrator is noted up to the same event', async () => {
    const { noted, response } = await exporting(3 * PAGE, undefined, admin());
    await response.text();
    expect(noted).toEqual([3 * PAGE]);
  });
});
