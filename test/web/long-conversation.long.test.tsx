/**
 * A session of 5,000 events opens about as fast as one of 50.
 *
 * Measured from the first draw until the end of the conversation is on the screen and the page responds. Each size is
 * opened several times, alternating, and the median counts: one run alone is as long as a frame or two, by chance.
 */
import { expect, it } from 'vitest';
import type { AppendedEvent } from '../../src/protocol/types.ts';
import { begins, calls, ends, results, modelText } from '../support/web/events.ts';
import { play, record } from '../support/web/recorded.ts';
import { startStage } from '../support/web/stage.tsx';

const ROUNDS = 9;
const MAX_RATIO = 3;

/** Turns of ten events, as an agent makes them. */
function events(count: number): AppendedEvent[] {
  const turns = Array.from({ length: count / 10 }, (_, at) => {
    const turnId = `t${at}`;
    const names = { turnId, responseId: `r${at}` };
    const [a, b] = [`a${at}`, `b${at}`];
    return [
      begins(turnId),
      modelText(
        `Here is **step ${at}** of the work, with a [link](https://example.com) and \`code\`.`,
        names,
      ),
      { ...calls(a, 'Read', { path: `notes/${at}.md` }), ...names },
      results(a, 'x'.repeat(200)),
      { ...calls(b, 'Write', { path: `out/${at}.md`, content: 'y'.repeat(200) }), ...names },
      results(b, 'done'),
      modelText(`- one\n- two\n- three ${at}`, names),
      { type: 'thinking', ...names, payload: { text: 'Hm.' } },
      modelText(`End of turn ${at}.`, names),
      ends({}, turnId),
    ] as AppendedEvent[];
  });
  return turns.flat();
}

async function stageWith(count: number) {
  const made = await startStage();
  const all = events(count);
  for (let at = 0; at < all.length; at += 1_000)
    await made.agent.appendEvents(made.id, all.slice(at, at + 1_000));
  made.person.subscribe = play(await record(made.owner, made.id));
  return { ...made, last: `End of turn ${count / 10 - 1}.` };
}

async function timeToOpen({ open, show, element, last }: Awaited<ReturnType<typeof stageWith>>) {
  const start = performance.now();
  open();
  while (!element.textContent.includes(last))
    await new Promise((resolve) => requestAnimationFrame(resolve));
  // Drawn, and ready to handle a key.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const took = performance.now() - start;
  show(null);
  return took;
}

it('[UI-10] opens 5,000 events in at most three times the time of 50', {
  timeout: 60_000,
  retry: 2,
}, async () => {
  const [few, many] = [await stageWith(50), await stageWith(5_000)];
  const times = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.few.push(await timeToOpen(few));
    times.many.push(await timeToOpen(many));
  }
  const [quick, slow] = [median(times.few), median(times.many)];
  const figures = `50 events: ${quick.toFixed(0)} ms, 5,000 events: ${slow.toFixed(0)} ms, ratio ${(slow / quick).toFixed(2)}`;
  console.log(figures);
  expect(slow / quick, figures).toBeLessThanOrEqual(MAX_RATIO);
});

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}
