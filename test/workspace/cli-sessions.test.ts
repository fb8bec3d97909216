/**
 * Which session a CLI session belongs to. A bug here looks like one conversation in two sessions, or like one that no
 * session can have again because a deleted session still holds it.
 */
import { describe, expect, it } from 'vitest';
import { MemoryWorkspaceStore } from '../../src/platform/memory/workspace-store.ts';
import {
  claimCliSession,
  findCliSession,
  releaseCliSession,
} from '../../src/workspace/list-sessions.ts';
import { InboxShares } from '../../src/workspace/inbox.ts';
import type { WorkspaceStore } from '../../src/workspace/store.ts';
import { applyReport } from '../../src/workspace/session-index.ts';
import { CLI } from '../support/transcripts.ts';
import { ReportingSession } from './reporting-session.ts';
import { WorkspaceHarness } from './workspace-harness.ts';

const STORES: readonly [string, () => WorkspaceStore][] = [
  ['SQLite', () => new WorkspaceHarness().store],
  ['memory', () => new MemoryWorkspaceStore()],
];

function report(store: WorkspaceStore, session: ReportingSession): void {
  applyReport(store, session.report(0), 1_700_000_000_000, {
    shares: new InboxShares(),
    addRules: () => '[]',
    addAnnouncements: () => undefined,
  });
}

describe.each(STORES)('[ALN-5] CLI sessions in %s', (_, open) => {
  it('belong to the session that claims them first; a repeat changes nothing', () => {
    const store = open();
    expect(claimCliSession(store, CLI, 's-1')).toEqual({ ok: true });
    expect(claimCliSession(store, CLI, 's-1')).toEqual({ ok: true });
    expect(claimCliSession(store, CLI, 's-2')).toMatchObject({
      code: 'cli_session_taken',
      details: { session: 's-1' },
    });
    expect(claimCliSession(store, { ...CLI, provider: 'codex' }, 's-2')).toEqual({ ok: true });
  });

  it('are found with the row of their session once it has reported', () => {
    const store = open();
    expect(findCliSession(store, CLI)).toMatchObject({ code: 'not_found' });
    claimCliSession(store, CLI, 's-1');
    expect(findCliSession(store, CLI)).toEqual({
      ok: true,
      value: { sessionId: 's-1', entry: undefined },
    });
    report(store, new ReportingSession('s-1'));
    expect(findCliSession(store, CLI)).toMatchObject({ value: { entry: { id: 's-1', open: 0 } } });
  });

  it('are released by their owner alone', () => {
    const store = open();
    claimCliSession(store, CLI, 's-1');
    releaseCliSession(store, CLI, 's-2');
    expect(findCliSession(store, CLI)).toMatchObject({ value: { sessionId: 's-1' } });
    releaseCliSession(store, CLI, 's-1');
    expect(claimCliSession(store, CLI, 's-2')).toEqual({ ok: true });
  });

  it('are free again when their session is deleted, which can claim none afterwards', () => {
    const store = open();
    const session = new ReportingSession('s-1');
    report(store, session);
    claimCliSession(store, CLI, 's-1');
    report(store, session.remove(1_700_000_000_001));
    expect(findCliSession(store, CLI)).toMatchObject({ code: 'not_found' });
    expect(claimCliSession(store, CLI, 's-1')).toMatchObject({ code: 'not_found' });
    expect(claimCliSession(store, CLI, 's-2')).toEqual({ ok: true });
  });
});
