/**
 * A session whose file was exchanged: restored from an older copy, lost and begun again, or copied from elsewhere,
 * while the workspace kept the earlier reports.
 *
 * A bug here looks like an inbox that shows requests this session never made, or hides the ones it has, until its log
 * is as long as it was, or without end.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answer, append, askApproval } from '../support/asks.ts';
import { startedSession } from '../support/session-storage.ts';
import { valueOf, wholeInbox, WorkspaceHarness } from '../workspace/workspace-harness.ts';
import { countFor } from '../support/run-length.ts';

const NOTE = append({ type: 'assistant_text', payload: { text: 'Working' } });
const approve = (call: string) => answer(`${call}~1`, { decision: 'approve' });
const ask = (toolCallId: string) => askApproval({ toolCallId, timeoutSeconds: null });

/** A session that tells a real workspace, with copies of its file. */
async function machine() {
  const inbox = new WorkspaceHarness();
  const world = await startedSession();
  const { sqlite } = world.storage;
  world.workspace.report = async (report) => {
    world.workspace.reports.push(report);
    if (world.workspace.isDown) throw new Error('The workspace is out of reach');
    return inbox.workspace.applyReport(structuredClone(report));
  };
  await world.session.waitForReport();
  const copy = () => sqlite.serialize();
  const restore = (image: Uint8Array) => {
    sqlite.deserialize(image);
    world.restart();
  };
  const shown = () =>
    wholeInbox(inbox)
      .map(({ interactionId }) => interactionId)
      .toSorted();
  const isOpen = () => [...(world.state?.open.keys() ?? [])].toSorted();
  return { inbox, world, copy, restore, shown, isOpen };
}

describe('a session that was restored from an older copy', () => {
  it('[LOG-13, INBOX-1] is shown as it is, once it is touched, and the operator reads of it', async () => {
    const { inbox, world, copy, restore, shown, isOpen } = await machine();
    world.must(ask('stays'));
    world.must(ask('answered-later'));
    await world.quiet();
    const image = copy();
    world.must(approve('answered-later'));
    world.must(ask('asked-later'));
    await world.quiet();
    expect(shown()).toEqual(['asked-later~1', 'stays~1']);

    restore(image);
    await world.quiet();
    expect(shown()).toEqual(['answered-later~1', 'stays~1']);
    expect(shown()).toEqual(isOpen());
    expect(inbox.warned).toEqual([
      'The file of session session-1 was exchanged; its new log replaces the known one',
    ]);
    world.now += 1_000;
    // Both lives of it stay in the audit list.
    world.must(approve('stays'));
    await world.quiet();
    const audit = valueOf(inbox.workspace.audit({}));
    expect(audit.entries.map(({ interactionId }) => interactionId)).toEqual([
      'stays~1',
      'answered-later~1',
    ]);
  });

  it('[LOG-13] is noticed although its log is longer again before its first report', async () => {
    const { world, copy, restore, shown, isOpen } = await machine();
    world.must(ask('stays'));
    await world.quiet();
    const image = copy();
    for (const call of ['a', 'b']) world.must(ask(call));
    await world.quiet();

    restore(image);
    world.workspace.isDown = true;
    for (let count = 0; count < 9; count += 1) world.must(NOTE);
    await world.quiet();
    world.must(ask('c'));
    world.workspace.isDown = false;
    await world.pass(600_000);
    expect(shown()).toEqual(['c~1', 'stays~1']);
    expect(shown()).toEqual(isOpen());
  });

  it('[LOG-13, INBOX-2] sends an open inbox the added and removed rows in one change', async () => {
    const { inbox, world, copy, restore } = await machine();
    world.must(ask('stays'));
    await world.quiet();
    const image = copy();
    world.must(ask('goes'));
    await world.quiet();
    const frames: unknown[] = [];
    inbox.subscribers.add({
      attachment: { chain: [], expiresAt: null, held: false, root: 'key_1', takesPart: true },
      send: (text) => void frames.push(JSON.parse(text)),
      close: () => undefined,
    });
    restore(image);
    await world.quiet();
    expect(frames).toMatchObject([
      {
        type: 'inbox_changed',
        upserts: [{ interactionId: 'stays~1' }],
        removed: ['goes~1'],
        total: 1,
      },
    ]);
  });

  it('[LOG-13] more than once, to copies in any order', async () => {
    const { world, copy, restore, shown, isOpen } = await machine();
    const images: Uint8Array[] = [];
    for (const call of ['a', 'b', 'c']) {
      world.must(ask(call));
      await world.quiet();
      images.push(copy());
    }
    for (const index of [0, 2, 1, 0, 2]) {
      restore(images[index] as Uint8Array);
      await world.quiet();
      world.must(ask(`after-${index}`));
      await world.quiet();
      expect(shown()).toEqual(isOpen());
    }
  });

  it('[LOG-13] and that dies before the report arrives reports again', async () => {
    const { inbox, world, copy, restore, shown, isOpen } = await machine();
    world.must(ask('stays'));
    await world.quiet();
    const image = copy();
    world.must(ask('goes'));
    await world.quiet();
    restore(image);
    const { report: tell } = world.workspace;
    // It has its new name on disk, and the report under it is lost.
    world.workspace.report = async (report) => {
      if (report.replaces !== undefined) throw new Error('lost');
      return tell(report);
    };
    await world.quiet();
    expect(shown()).toEqual(['goes~1', 'stays~1']);
    world.workspace.report = tell;
    world.restart();
    await world.quiet();
    expect(shown()).toEqual(isOpen());
    expect(inbox.warned).toHaveLength(1);
  });

  it('[LOG-13] cannot take its new name on a full disk, and tries again', async () => {
    const { world, copy, restore, shown, isOpen } = await machine();
    world.must(ask('stays'));
    await world.quiet();
    const image = copy();
    world.must(ask('goes'));
    await world.quiet();
    restore(image);
    world.storage.damage('meta', 'UPDATE');
    await world.quiet();
    expect(shown()).toEqual(['goes~1', 'stays~1']);
    world.storage.repair();
    await world.pass(600_000);
    expect(shown()).toEqual(isOpen());
  });
});

it('[LOG-13] a session that was lost and begun again is not mistaken for the old one', async () => {
  const { world, copy, restore, shown, isOpen } = await machine();
  const bare = copy();
  world.must(ask('old'));
  world.must(NOTE);
  await world.quiet();
  restore(bare);
  for (const table of ['log', 'meta']) {
    const keep = table === 'meta' ? " WHERE key <> 'schema'" : '';
    world.storage.sqlite.exec(`DELETE FROM ${table}${keep}`);
  }
  world.restart();
  expect(world.state).toBeNull();
  world.must({ type: 'session.create' });
  for (const call of ['new-1', 'new-2', 'new-3']) world.must(ask(call));
  await world.quiet();
  expect(shown()).toEqual(['new-1~1', 'new-2~1', 'new-3~1']);
  expect(shown()).toEqual(isOpen());
});

it('[LOG-13] a deleted session that is put back is there again', async () => {
  const { inbox, world, copy, restore, shown } = await machine();
  world.must(ask('stays'));
  await world.quiet();
  const image = copy();
  await world.ask({ type: 'session.delete' });
  expect(shown()).toEqual([]);
  restore(image);
  await world.quiet();
  expect(shown()).toEqual(['stays~1']);
  expect(inbox.workspace.sessions({})).toMatchObject({
    value: { sessions: [{ id: 'session-1' }] },
  });
});

it('[LOG-13, OUT-2] a session that was not exchanged never counts as exchanged', async () => {
  const step = fc.constantFrom('ask', 'settle', 'note', 'tell', 'restart', 'lose', 'again');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { inbox, world, shown, isOpen } = await machine();
      for (const [index, what] of steps.entries()) {
        world.workspace.isDown = what === 'lose';
        if (what === 'ask') world.must(ask(`call-${index}`));
        if (what === 'note') world.must(NOTE);
        const [open] = isOpen();
        if (what === 'settle' && open !== undefined) world.must(answer(open, { decision: 'deny' }));
        if (what === 'tell' || what === 'lose') await world.quiet();
        if (what === 'restart') world.restart();
        // A message that was on its way all the time.
        const late = world.workspace.reports[index % (world.workspace.reports.length || 1)];
        if (what === 'again' && late !== undefined) inbox.workspace.applyReport(late);
      }
      world.workspace.isDown = false;
      await world.pass(600_000);
      await world.session.waitForReport();
      expect(shown()).toEqual(isOpen());
      expect(inbox.warned).toEqual([]);
    }),
    { numRuns: countFor({ quick: 50, long: 200 }) },
  );
});
