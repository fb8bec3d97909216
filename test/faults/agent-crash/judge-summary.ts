/**
 * Checks a conversation that was summarized, and whose summary a person took back, wherever the server was killed.
 *
 * One summary is written and one taken back. It comes while no question is open and no call lacks its result. From it on
 * the model reads the summary and what followed; after it was taken back, all that the log holds.
 */
import { of } from './log-events.ts';
import { SCENES, SUMMARY } from './scenes.ts';
import { isSummaryRequest } from './serve-model.ts';
import type { Trial } from './trial.ts';

export function judgeSummary(trial: Trial): void {
  const { compaction } = SCENES[trial.boundary.scene];
  if (compaction === undefined) return;
  const { events } = trial;
  const [written, ...more] = of(events, 'conversation_compacted');
  const restored = of(events, 'conversation_restored').map(({ payload }) => payload.compactedSeq);
  if (written === undefined || more.length > 0) {
    return trial.problem('SUMMARY', `${more.length + (written ? 1 : 0)} summaries in the log`);
  }
  if (written.payload.summary !== SUMMARY) trial.problem('SUMMARY', written.payload.summary);
  if (restored.join() !== String(written.seq)) {
    trial.problem('SUMMARY', `of ${written.seq} taken back: ${restored.join() || 'none'}`);
  }
  judgeMoment(trial, written.seq);
  judgeRead(trial, compaction.afterUndo);
}

function judgeMoment(trial: Trial, seq: number): void {
  const before = trial.events.filter((event) => event.seq < seq);
  const settled = of(before, 'interaction_response').map(({ payload }) => payload.interactionId);
  const open = of(before, 'interaction_request')
    .map(({ payload }) => payload.interactionId)
    .filter((id) => !settled.includes(id));
  if (open.length > 0) trial.problem('SUMMARY', `it was written while ${open.join()} was open`);
  const done = of(before, 'tool_result').map(({ toolCallId }) => toolCallId);
  const unfinished = of(before, 'tool_call').filter(({ toolCallId }) => !done.includes(toolCallId));
  if (unfinished.length > 0) trial.problem('SUMMARY', 'it was written while a call had no result');
}

/** `afterUndo`: the message after the summary was taken back. */
function judgeRead(trial: Trial, afterUndo: string): void {
  const answers = trial.requests
    .map(({ body }) => ({ body, text: JSON.stringify(body) }))
    .filter(({ body }) => !isSummaryRequest(body));
  const [begun] = of(trial.events, 'user_message');
  const first = begun?.payload.text ?? '';
  const from = answers.findIndex(({ text }) => text.includes(SUMMARY));
  if (from === -1) return trial.problem('SUMMARY', 'no request has it');
  for (const { text } of answers.slice(from)) {
    if (text.includes(afterUndo)) continue;
    if (!text.includes(SUMMARY)) trial.problem('SUMMARY', 'it is gone from a later request');
    if (text.includes(first)) trial.problem('SUMMARY', 'a request has what it replaces as well');
  }
  const last = answers.at(-1)?.text ?? '';
  if (last.includes(SUMMARY)) trial.problem('SUMMARY', 'it was taken back, and the model reads it');
  for (const lost of wordsOf(trial).filter((words) => !last.includes(words))) {
    trial.problem('LOST WORDS', `${lost.slice(0, 40)} is missing after the summary was taken back`);
  }
}

/** All that people, the model and its tools said before the last answer, as JSON has it. */
function wordsOf({ events }: Trial): string[] {
  const texts = [
    ...of(events, 'user_message').map(({ payload }) => payload.text),
    ...of(events, 'assistant_text')
      .slice(0, -1)
      .map(({ payload }) => payload.text),
    ...of(events, 'tool_result').map(({ payload }) => payload.output),
  ];
  return texts.flatMap((text) =>
    typeof text === 'string' ? [JSON.stringify(text).slice(1, -1)] : [],
  );
}
