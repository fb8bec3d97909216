/**
 * A bug here looks like a truncated cursor that starts the list elsewhere, so that the rows between are never shown.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeCursor } from '../../src/protocol/schema/cursor.ts';
import type { PageQuery } from '../../src/workspace/ports.ts';
import { ReportingSession } from './reporting-session.ts';
import { valueOf, WorkspaceHarness } from './workspace-harness.ts';

const LISTS = ['sessions', 'inbox', 'audit'] as const;

function filled(): WorkspaceHarness {
  const harness = new WorkspaceHarness();
  for (let n = 0; n < 3; n += 1) {
    const session = new ReportingSession(`s-${n}`).ask('a~1', null).settle('a~1').ask('b~1', n);
    harness.workspace.applyReport(session.report());
  }
  return harness;
}

function ask(
  harness: WorkspaceHarness,
  list: (typeof LISTS)[number],
  cursor?: string,
  limit?: number,
) {
  const page: PageQuery = { limit, before: cursor, after: cursor };
  return harness.workspace[list](page);
}

function nextOf(harness: WorkspaceHarness, list: (typeof LISTS)[number]): string {
  const { next } = valueOf<{ next?: string }>(ask(harness, list, undefined, 1));
  if (next === undefined) throw new Error('There is no next page');
  return next;
}

describe.each(LISTS)('a cursor of %s', (list) => {
  const harness = filled();
  const given = nextOf(harness, list);

  it('is safe in a URL and continues where the page ended', () => {
    expect(given).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
    expect(ask(harness, list, given).ok).toBe(true);
    expect(ask(harness, list, given)).not.toEqual(ask(harness, list));
  });

  it.each([
    ['empty', ''],
    ['no base64', '%%%'],
    ['no JSON', btoa('{"a":')],
    ['no array', btoa('7')],
    ['too short', btoa(`["${list}"]`)],
    ['of the wrong shape', btoa(`["${list}","1","2","3"]`)],
    ['with too much', btoa(`["${list}",1,"a","b","c"]`)],
    ['not UTF-8', 'gICA'],
    ['too long', writeCursor([list, 'x'.repeat(600)])],
    ['with padding', `${given}=`],
    ['with a space', `${given} `],
    ['cut off', given.slice(0, -2)],
    ['in other words', btoa(`["${list}", 1,"a","b"]`).replaceAll('=', '')],
    ['with a fraction', writeCursor([list, 1.5, 'a', 'b'])],
    ['with an endless number', btoa(`["${list}",1e999,"a","b"]`).replaceAll('=', '')],
  ])('is refused when it is %s', (_, forged) => {
    expect(ask(harness, list, forged)).toMatchObject({ ok: false, code: 'invalid_request' });
  });

  it.each(LISTS.filter((other) => other !== list))('of %s is refused', (other) => {
    expect(ask(harness, list, nextOf(harness, other))).toMatchObject({ code: 'invalid_request' });
  });

  it('[LIM-4] any text is a page or a refusal', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc.json().map((json) => btoa(encodeURIComponent(json))),
      fc.array(fc.oneof(fc.string(), fc.integer())).map((place) => writeCursor([list, ...place])),
    );
    fc.assert(
      fc.property(text, (cursor) => {
        const read = ask(harness, list, cursor);
        expect(read.ok || read.code === 'invalid_request').toBe(true);
      }),
    );
  });

  it.each([0, -1, Number.NaN, 0.5, 1])('a limit of %s is one', (limit) => {
    expect(ask(harness, list, undefined, limit)).toEqual(ask(harness, list, undefined, 1));
  });

  it('a limit beyond the largest page is the largest page', () => {
    expect(ask(harness, list, undefined, 1e9).ok).toBe(true);
  });
});

describe('the list of sessions', () => {
  it('is paged newest first, also while sessions are created and deleted', () => {
    const harness = new WorkspaceHarness();
    const sessions = Array.from({ length: 25 }, (_, n) => new ReportingSession(`s-${n}`));
    for (const session of sessions) harness.workspace.applyReport(session.report());
    const found: string[] = [];
    let before: string | undefined;
    do {
      const page = valueOf(harness.workspace.sessions({ limit: 10, before }));
      found.push(...page.sessions.map(({ id }) => id));
      before = page.next;
      harness.workspace.applyReport(new ReportingSession(`later-${found.length}`).report());
      const gone = sessions[24 - found.length];
      if (gone !== undefined) harness.workspace.applyReport(gone.remove(harness.now).report(1));
    } while (before !== undefined);
    const all = Array.from({ length: 25 }, (_, n) => `s-${24 - n}`);
    expect(found).toEqual(all.filter((id) => id !== 's-14'));
  });
});
