/** The list of sessions by activity, pins and search. A bug here looks like a session that a person cannot find again. */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { SessionsQuery } from '../../src/workspace/list-sessions.ts';
import { ReportingSession } from './reporting-session.ts';
import { MINUTE, valueOf, WorkspaceHarness } from './workspace-harness.ts';

const START = 1_700_000_000_000;

function listed(harness: WorkspaceHarness, query: SessionsQuery, subject = 'ada'): string[] {
  return valueOf(harness.workspace.sessions(query, subject)).sessions.map(({ id }) => id);
}

/** Every page, each a line. */
function pages(harness: WorkspaceHarness, query: SessionsQuery): string[] {
  const lines: string[] = [];
  for (let before: string | undefined; ; ) {
    const page = valueOf(harness.workspace.sessions({ ...query, before }, 'ada'));
    lines.push(page.sessions.map(({ id }) => id).join(' '));
    if (page.next === undefined) return lines;
    before = page.next;
  }
}

function reported(harness: WorkspaceHarness, id: string, at: number, title = id): ReportingSession {
  const session = new ReportingSession(id).rename(title);
  session.about = { lastAt: at, lastLine: `Line of ${id}` };
  harness.workspace.applyReport(session.report());
  return session;
}

describe('[DAILY-2] the list by activity', () => {
  it('has the last active session first, page by page, each once', () => {
    const harness = new WorkspaceHarness();
    for (const [index, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      reported(harness, id, START + index * MINUTE);
    }
    const first = harness.store.sessions.find('a');
    expect(first?.number).toBe(1);
    const again = reported(harness, 'f', START - MINUTE);
    expect(listed(harness, { order: 'activity' })).toEqual(['e', 'd', 'c', 'b', 'a', 'f']);
    again.about = { lastAt: START + 10 * MINUTE };
    again.appendOther();
    harness.workspace.applyReport(again.report());
    expect(pages(harness, { order: 'activity', limit: 2 })).toEqual(['f e', 'd c', 'b a']);
    expect(listed(harness, {})).toEqual(['f', 'e', 'd', 'c', 'b', 'a']);
    const [row] = valueOf(harness.workspace.sessions({ order: 'activity' }, 'ada')).sessions;
    expect(row).toMatchObject({ lastLine: 'Line of f', lastAt: START + 10 * MINUTE });
  });

  it('moves a session at most once a minute, so that most reports write no index row', () => {
    const harness = new WorkspaceHarness();
    const session = reported(harness, 'a', START);
    for (const ms of [1_000, 30_000, MINUTE - 1]) {
      session.about = { lastAt: START + ms };
      harness.workspace.applyReport(session.appendOther().report());
      expect(harness.store.sessions.find('a')?.activeAt).toBe(START);
    }
    session.about = { lastAt: START + MINUTE };
    harness.workspace.applyReport(session.appendOther().report());
    expect(harness.store.sessions.find('a')).toMatchObject({
      activeAt: START + MINUTE,
      about: { lastAt: START + MINUTE, lastLine: 'Line of a' },
    });
  });

  it('has archived sessions only where they are asked for', () => {
    const harness = new WorkspaceHarness();
    reported(harness, 'a', START);
    const session = reported(harness, 'b', START + MINUTE);
    session.archived = true;
    harness.workspace.applyReport(session.appendOther().report());
    expect(listed(harness, { order: 'activity' })).toEqual(['a']);
    expect(listed(harness, { archived: false })).toEqual(['a']);
    expect(listed(harness, { archived: true })).toEqual(['b']);
    expect(listed(harness, {})).toEqual(['b', 'a']);
    session.archived = false;
    harness.workspace.applyReport(session.appendOther().report());
    expect(listed(harness, { order: 'activity' })).toEqual(['b', 'a']);
  });

  it('takes reports of sessions of an older version', () => {
    const harness = new WorkspaceHarness();
    harness.workspace.applyReport(new ReportingSession('old').report());
    const [row] = valueOf(harness.workspace.sessions({ order: 'activity' }, 'ada')).sessions;
    expect(row).toMatchObject({ id: 'old', lastAt: harness.now });
    expect(row).not.toHaveProperty('lastLine');
  });
});

describe('[DAILY-3] a search of the list', () => {
  it('compares title, id, agent and labels, whatever the case, word by word', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('ses_Quarterly').rename('Move the NÖTES');
    session.about = { lastAt: START, agent: { type: 'cli', name: 'claude-code' } };
    harness.workspace.applyReport({ ...session.report(), labels: { team: 'payments' } });
    reported(harness, 'other', START);
    for (const q of ['nötes', 'NOTES'.replace('O', 'ö'), 'move notes'.replace('o', 'o'), 'quarter'])
      expect(listed(harness, { q }).includes('ses_Quarterly'), q).toBe(!q.includes('notes'));
    expect(listed(harness, { q: 'code payments' })).toEqual(['ses_Quarterly']);
    expect(listed(harness, { q: 'payments other' })).toEqual([]);
    expect(listed(harness, { q: '%' })).toEqual([]);
    expect(listed(harness, { q: ' ' })).toHaveLength(2);
  });

  it('looks at a bounded number of sessions, and goes on from its cursor', () => {
    const harness = new WorkspaceHarness();
    const count = LIMITS.sessionsPerSearch + 700;
    for (let at = 0; at < count; at += 1) {
      const title = at % 900 === 3 ? 'needle' : 'hay';
      reported(harness, `s${at}`, START + at * MINUTE, title);
    }
    const found = pages(harness, { q: 'needle' });
    expect(found).toEqual(['s1803 s903', 's3']);
    expect(pages(harness, { q: 'needle', limit: 1 })).toEqual(['s1803', 's903', 's3', '']);
    expect(pages(harness, { q: 'nothing' })).toEqual(['', '']);
  });
});

describe('[DAILY-2] pins', () => {
  it('are of one person, are listed by activity, and end with their session', () => {
    const harness = new WorkspaceHarness();
    for (const [index, id] of ['a', 'b', 'c'].entries())
      reported(harness, id, START + index * MINUTE);
    const { workspace } = harness;
    for (const id of ['a', 'c', 'c']) expect(workspace.pinSession('ada', id)).toEqual({ ok: true });
    expect(listed(harness, { pinned: true })).toEqual(['c', 'a']);
    expect(listed(harness, { pinned: true }, 'ben')).toEqual([]);
    const marked = valueOf(workspace.sessions({ order: 'activity' }, 'ada')).sessions;
    expect(marked.map(({ pinned }) => pinned)).toEqual([true, undefined, true]);
    workspace.unpinSession('ada', 'a');
    workspace.unpinSession('ada', 'never');
    expect(listed(harness, { pinned: true })).toEqual(['c']);
    harness.workspace.applyReport(new ReportingSession('c').rename('c').remove(START).report());
    expect(listed(harness, { pinned: true })).toEqual([]);
    expect(harness.store.pins.list('ada')).toEqual([]);
  });

  it('are bounded, and only of sessions that are there', () => {
    const harness = new WorkspaceHarness();
    const { workspace } = harness;
    reported(harness, 'gone', START);
    workspace.applyReport(new ReportingSession('gone').rename('gone').remove(START).report());
    expect(workspace.pinSession('ada', 'gone')).toMatchObject({ code: 'not_found' });
    for (let at = 0; at <= LIMITS.pins; at += 1) reported(harness, `s${at}`, START);
    for (let at = 0; at < LIMITS.pins; at += 1) workspace.pinSession('ada', `s${at}`);
    expect(workspace.pinSession('ada', `s${LIMITS.pins}`)).toMatchObject({ code: 'limit_reached' });
    expect(workspace.pinSession('ada', 's0')).toEqual({ ok: true });
    expect(workspace.pinSession('ben', 's0')).toEqual({ ok: true });
  });
});
