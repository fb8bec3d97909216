/**
 * The time of an alignment, against the fold of the same events: a screen does both after an import, and on every machine
 * the fold takes in proportion.
 */
import { expect, it } from 'vitest';
import { alignHistory } from '../../src/client/timeline/align.ts';
import { emptyTimeline, foldEvents } from '../../src/client/timeline/index.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { HistoryEntry } from '../../src/protocol/types.ts';
import { AT, begins, calls, closes, ends, opens, results, says, text } from './client-events.ts';
import { lowestCpuMs } from '../support/cpu-time.ts';

const ENTRIES = 10_000;
const INTERACTIONS = 500;
/** Entries of a turn: start, message, text, three calls with results, end. */
const TURN = 10;

const history = Array.from({ length: ENTRIES / TURN }, (_, turn) => {
  const names = { turnId: `t${turn}`, responseId: `r${turn}` };
  const run = (n: number) => {
    const command = `npx holdpoint ask "Question ${turn} of many?" --option first --option second ${n}`;
    return calls(`c${turn}-${n}`, names, { command, description: 'Some words about this call' });
  };
  return [
    begins(names.turnId),
    says('Go on.', names),
    text('I do it. '.repeat(20), names),
    ...[0, 1, 2].flatMap((n) => [run(n), results(`c${turn}-${n}`)]),
    ends(names.turnId),
  ];
})
  .flat()
  .map((draft, n) => ({ ...draft, id: `line-${n}`, at: AT + n * 100 }) as HistoryEntry);

/** Half of them know their call, half only their command. */
const log = Array.from({ length: INTERACTIONS }, (_, n) => {
  const turn = n * 2;
  const id = n % 2 === 0 ? `c${turn}-1` : `own-${n}`;
  const at = AT + turn * TURN * 100 + 600;
  return [...opens(id, { kind: 'question' }), ...closes(id, 'answered', { kind: 'question' })].map(
    (draft) => {
      const command = ['ask', `Question ${turn} of many?`, '--option', 'first'];
      const payload = { ...draft.payload, correlate: { plugin: 'holdpoint', command } };
      return { ...draft, at, payload };
    },
  );
})
  .flat()
  .map((event, n) => ({ ...event, seq: n + 1 }) as SessionEvent);

const fastest = (work: () => unknown) => lowestCpuMs(15, work);

it('[ALN-4] aligns 10,000 entries with 500 interactions in the time of six folds', () => {
  const aligned = alignHistory(history, log);
  expect(aligned).toHaveLength(ENTRIES + INTERACTIONS * 4);
  const requests = aligned.filter(({ type }) => type === 'interaction_request');
  expect(requests.every(({ toolCallId }) => toolCallId?.startsWith('c') === true)).toBe(true);
  const ratio =
    fastest(() => alignHistory(history, log)) / fastest(() => foldEvents(emptyTimeline(), aligned));
  expect(ratio).toBeLessThan(6);
});
