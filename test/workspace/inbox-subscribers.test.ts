/**
 * A bug here looks like an open inbox that shows nothing while an agent waits, or like a person with a revoked key who
 * goes on reading the requests of agents.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InboxFrame } from '../../src/protocol/schema/frame.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { InboxSocket, InboxAttachment } from '../../src/workspace/ports.ts';
import { ReportingSession } from './reporting-session.ts';
import { steps, ReportModel } from './report-model.ts';
import { MINUTE, OLGA, WorkspaceHarness } from './workspace-harness.ts';
import { countFor } from '../support/run-length.ts';

const ANYBODY: InboxAttachment = {
  chain: ['key_1'],
  expiresAt: null,
  held: false,
  root: 'key_1',
  takesPart: true,
};

class FakeListener implements InboxSocket {
  readonly attachment: InboxAttachment;
  readonly frames: InboxFrame[] = [];
  closed: number | null = null;
  isGone = false;
  readonly #harness: WorkspaceHarness;

  constructor(harness: WorkspaceHarness, attachment: InboxAttachment = ANYBODY) {
    this.#harness = harness;
    this.attachment = attachment;
    harness.subscribers.add(this);
  }

  send(text: string): void {
    if (this.isGone) throw new Error('Gone');
    this.frames.push(JSON.parse(text) as InboxFrame);
  }

  close(code: number): void {
    this.closed = code;
    this.#harness.subscribers.delete(this);
  }

  /** The entries of a page that folds these frames, in no order. */
  shown(): string[] {
    const all = new Set<string>();
    for (const frame of this.frames) {
      if (frame.type === 'error') continue;
      const isPage = frame.type === 'inbox';
      for (const entry of isPage ? frame.interactions : frame.upserts) {
        all.add(`${entry.sessionId}/${entry.interactionId}`);
      }
      if (isPage) continue;
      for (const id of frame.removed) all.delete(`${frame.sessionId}/${id}`);
    }
    return [...all].toSorted();
  }
}

function listening(harness: WorkspaceHarness, attachment?: InboxAttachment): FakeListener {
  const listener = new FakeListener(harness, attachment);
  harness.workspace.subscribe(listener);
  return listener;
}

describe('a subscriber of the inbox', () => {
  it('[INBOX-2] receives the content of the pages, for any reports in any order', () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 20 }), (taken, from) => {
        const model = new ReportModel();
        for (const step of taken.slice(0, from)) model.take(step);
        const listener = listening(model.harness);
        for (const step of taken.slice(from)) {
          model.take(step);
          expect(listener.shown()).toEqual(model.expected().inbox);
        }
        const last = listener.frames.at(-1);
        expect(last).toMatchObject({ total: model.expected().total });
      }),
      { numRuns: countFor({ quick: 50, long: 200 }) },
    );
  });

  it('[INBOX-2] receives no unwritten change, and no frame without a change', () => {
    const harness = new WorkspaceHarness();
    const listener = listening(harness);
    const session = new ReportingSession('s-1').ask('a~1', harness.now + MINUTE);
    harness.workspace.applyReport(session.report());
    harness.workspace.applyReport(session.report());
    harness.workspace.applyReport(session.appendOther().report(2));
    expect(listener.frames.map(({ type }) => type)).toEqual(['inbox', 'inbox_changed']);
  });

  it('[INBOX-2] receives the new title of a session with open interactions, and of no other session', () => {
    const harness = new WorkspaceHarness();
    const listener = listening(harness);
    const session = new ReportingSession('s-1').rename('Quiet');
    harness.workspace.applyReport(session.report());
    expect(listener.frames).toHaveLength(1);
    harness.workspace.applyReport(session.ask('a~1', null).report(2));
    harness.workspace.applyReport(session.rename('Loud').report(3));
    expect(listener.frames.at(-1)).toMatchObject({
      sessionTitle: 'Loud',
      upserts: [],
      removed: [],
      total: 1,
    });
  });

  it('[INBOX-2, AUTH-7] receives nothing after its credential has expired', () => {
    const harness = new WorkspaceHarness();
    const soon = listening(harness, { ...ANYBODY, expiresAt: harness.now + MINUTE });
    const stays = listening(harness);
    harness.now += MINUTE;
    harness.workspace.applyReport(new ReportingSession('s-1').ask('a~1', null).report());
    expect(soon.frames.map(({ type }) => type)).toEqual(['inbox', 'error']);
    expect(soon.closed).toBe(4401);
    expect(stays.frames).toHaveLength(2);
  });

  it('[INBOX-2, AUTH-7] loses its connection with its credential, and cannot reconnect', async () => {
    const harness = new WorkspaceHarness();
    const listener = listening(harness, { ...ANYBODY, chain: ['tok_1', 'key_1'] });
    const other = listening(harness, { ...ANYBODY, chain: ['key_2'] });
    await harness.workspace.credentials.revoke('key_1', null, OLGA);
    expect(listener.closed).toBe(4401);
    expect(other.closed).toBeNull();
    const again = { ...ANYBODY, chain: ['tok_1', 'key_1'] };
    expect(harness.workspace.findSubscribeRejection(again)).toMatchObject({
      code: 'unauthenticated',
    });
    expect(harness.workspace.findSubscribeRejection(other.attachment)).toBeUndefined();
  });

  it('[INBOX-2] receives changes although another subscriber is gone', () => {
    const harness = new WorkspaceHarness();
    const gone = listening(harness);
    const stays = listening(harness);
    gone.isGone = true;
    harness.workspace.applyReport(new ReportingSession('s-1').ask('a~1', null).report());
    expect(stays.frames).toHaveLength(2);
  });

  it('[INBOX-2] is closed when it sends a frame: the inbox takes none', () => {
    const harness = new WorkspaceHarness();
    const listener = listening(harness);
    harness.workspace.rejectFrame(listener);
    expect(listener.frames.at(-1)).toMatchObject({ type: 'error' });
    expect(listener.closed).toBe(1008);
  });

  it('[INBOX-2, LIM-2] is one of at most a thousand, streams counted apart', () => {
    const harness = new WorkspaceHarness();
    for (let n = 0; n < LIMITS.sockets; n += 1) {
      listening(harness, { ...ANYBODY, root: `key_${n % 20}` });
    }
    expect(harness.workspace.findSubscribeRejection(ANYBODY)).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'sockets', max: LIMITS.sockets },
    });
    expect(harness.workspace.findSubscribeRejection({ ...ANYBODY, held: true })).toBeUndefined();
  });

  it('[LIM-7, INBOX-2] is one of at most fifty of its root that only read; who answers still connects', () => {
    const harness = new WorkspaceHarness();
    const reads = { ...ANYBODY, takesPart: false };
    for (let n = 0; n < 50; n += 1) listening(harness, reads);
    expect(harness.workspace.findSubscribeRejection(reads)).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'rootSockets', max: 50 },
    });
    expect(harness.workspace.findSubscribeRejection({ ...reads, root: 'key_2' })).toBeUndefined();
    expect(harness.workspace.findSubscribeRejection(ANYBODY)).toBeUndefined();
  });

  it('[LIM-7, INBOX-2] leaves a quarter of the places to those who take part, when it only reads', () => {
    const harness = new WorkspaceHarness();
    const reads = (n: number) => ({ ...ANYBODY, root: `key_${n % 15}`, takesPart: false });
    for (let n = 0; n < 750; n += 1) listening(harness, reads(n));
    expect(harness.workspace.findSubscribeRejection(reads(99))).toMatchObject({
      code: 'limit_reached',
    });
    expect(harness.workspace.findSubscribeRejection(ANYBODY)).toBeUndefined();
  });
});
