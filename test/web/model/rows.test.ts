/** The drawn rows: the end first, and shown rows stay while others arrive. */
import { expect, it } from 'vitest';
import { emptyTimeline, foldEvents } from '../../../src/client/timeline/index.ts';
import { InProcessHost } from '../../../src/in-process/index.ts';
import type { SessionEvent } from '../../../src/protocol/types.ts';
import { findDayStarts } from '../../../src/web/model/day-starts.ts';
import {
  canRetry,
  countRows,
  FIRST_ROWS,
  hiddenRows,
  lastRows,
  type Row,
  findRow,
} from '../../../src/web/model/rows.ts';

const text = (seq: number): SessionEvent => ({
  seq,
  at: seq,
  type: 'assistant_text',
  turnId: `t${Math.floor(seq / 7)}`,
  responseId: `r${Math.floor(seq / 3)}`,
  payload: { text: `Text ${seq}` },
});
const ended = (seq: number, turnId: string, reason: 'error' | 'completed'): SessionEvent => ({
  seq,
  at: seq,
  type: 'turn_ended',
  turnId,
  payload: { reason },
});
const timeline = foldEvents(
  emptyTimeline(),
  Array.from({ length: 100 }, (_, at) => text(at + 1)),
);

it('walks back from the end, in order, and counts all rows', () => {
  expect(countRows(timeline.turns)).toBe(100);
  const rows = lastRows(timeline.turns, 10);
  const texts = rows.map((row) =>
    row.type === 'block' && row.block.type === 'text' ? row.block.text : '',
  );
  expect(texts).toEqual(Array.from({ length: 10 }, (_, at) => `Text ${at + 91}`));
  expect(lastRows(timeline.turns, 1_000)).toHaveLength(100);
  expect(lastRows(timeline.turns, 0)).toEqual([]);
});

it('gives every row a unique key', () => {
  const rows = lastRows(timeline.turns, 100);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(100);
});

it('shows few of many rows at first, and removes none that is being read', () => {
  expect(hiddenRows(40, 0, true)).toBe(0);
  expect(hiddenRows(5_000, 0, true)).toBe(5_000 - FIRST_ROWS);
  // The person scrolled up: new rows are added below, and none is removed above.
  expect(hiddenRows(5_200, 4_800, false)).toBe(4_800);
});

it('shows an abnormal end of a turn, and offers to retry the last failure', () => {
  const failed = foldEvents(timeline, [ended(101, 't14', 'error')]);
  const row = lastRows(failed.turns, 1)[0];
  expect(row?.type).toBe('end');
  expect(row && canRetry(failed.turns, row.turn)).toBe(true);
  const later = foldEvents(failed, [{ ...text(102), turnId: 't99' }]);
  expect(row && canRetry(later.turns, row.turn)).toBe(false);
  const fine = foldEvents(timeline, [ended(101, 't14', 'completed')]);
  expect(countRows(fine.turns)).toBe(100);
});

/** A call of this tool that asks a person, as the timeline has it. */
async function askedBy(toolName: string, result?: string) {
  const host = new InProcessHost({ warn: () => undefined });
  const owner = host.transport();
  const { id } = await owner.createSession();
  const names = { turnId: 't1', responseId: 'r1', toolCallId: 'c1' };
  await owner.appendEvents(id, [
    { type: 'tool_call', ...names, payload: { toolName, input: { command: 'make deploy' } } },
  ]);
  const questions = [
    { header: 'A', question: 'Which?', options: [{ label: 'x' }, { label: 'y' }] },
  ];
  await owner.open(id, { kind: 'question', toolName, toolCallId: 'c1', questions });
  if (result !== undefined) {
    await owner.submitAnswers(id, 'c1', { '0': 'x' });
    await owner.appendEvents(id, [
      { type: 'tool_result', toolCallId: 'c1', payload: { output: result } },
    ]);
  }
  const { head } = await owner.snapshot(id);
  const events = await new Promise<readonly SessionEvent[]>((resolve) => {
    const seen: SessionEvent[] = [];
    owner.subscribe(id, {
      events: (some) => seen.push(...some) === head && resolve(seen),
    });
  });
  host.close();
  return foldEvents(emptyTimeline(), events).turns;
}

it.each(['AskUserQuestion', 'mcp__people__ask_user'])(
  '[TL-5] leaves out the call of %s: the card shows it',
  async (toolName) => {
    const turns = await askedBy(toolName);
    expect(countRows(turns)).toBe(1);
    expect(lastRows(turns, 9).map((row) => row.type === 'block' && row.block.type)).toEqual([
      'questionnaire',
    ]);
    expect(findRow(turns, 1, { interactionId: 'c1~1' })).toMatchObject({ index: 0 });
    expect(findRow(turns, 1, { interactionId: 'c2~1' })).toBeUndefined();
  },
);

it('[TL-5] keeps the row of a call that asked along the way, with its result', async () => {
  const statusOf = (rows: readonly Row[]) =>
    rows.map((row) =>
      row.type === 'block' && row.block.type === 'tool'
        ? [row.block.call.status, row.block.call.result?.output]
        : row.type === 'block' && row.block.type,
    );
  expect(statusOf(lastRows(await askedBy('Bash'), 9))).toEqual([
    ['pending', undefined],
    'questionnaire',
  ]);
  expect(statusOf(lastRows(await askedBy('Bash', 'deployed'), 9))).toEqual([
    ['complete', 'deployed'],
    'questionnaire',
  ]);
});

it('[DAILY-1] finds the row of an event, also of one that another row shows', () => {
  const row = (seq: number) => findRow(timeline.turns, 100, { seq });
  expect(row(91)).toMatchObject({ index: 90 });
  expect(row(1)).toMatchObject({ index: 0 });
  expect(row(1_000)).toMatchObject({ index: 99 });
  expect(row(0)).toBeUndefined();
  expect(row(Number.NaN)).toBeUndefined();
  expect(findRow(timeline.turns, 100, { seq: 42 })?.key).toBe(lastRows(timeline.turns, 59)[0]?.key);
});

it('[DAILY-1] names a day where another one begins, and not for a conversation of today', () => {
  const noon = new Date(2026, 0, 20, 12).getTime();
  const days = [-2, -2, -1, 0, 0].map((day) => noon + day * 86_400_000);
  const { turns } = foldEvents(
    emptyTimeline(),
    days.map((at, index) => ({ ...text(index + 1), at })),
  );
  const rows = lastRows(turns, 5);
  const starts = findDayStarts(rows, noon);
  expect(rows.map((row) => starts.get(row))).toEqual([
    days[0],
    undefined,
    days[2],
    days[3],
    undefined,
  ]);
  expect(findDayStarts(rows.slice(3), noon).size).toBe(0);
});
