/** Checks the rules of README.md after a trial, wherever the server was killed. */
import { AGAIN } from './person.ts';
import { isRecord, resultText } from './request-rules.ts';
import { judgeSummary } from './judge-summary.ts';
import { of } from './log-events.ts';
import { SCENES } from './scenes.ts';
import type { Played } from './play-trial.ts';
import type { Trial } from './trial.ts';

const TOLD_AGAIN = 'sent a second time';
const TOLD_UNKNOWN = 'may have had its effect';

/** The requests that a summary adds to a trial: itself, and the answer after it was taken back. */
const SUMMARIZED = 2;

export function judge(trial: Trial, { file }: Played): void {
  const { events } = trial;
  judgeRequests(trial);
  judgeEnds(trial);
  judgeCalls(trial);
  judgeAsked(trial);
  judgeEffects(trial);
  judgeAcknowledged(trial);
  judgeSummary(trial);
  const seqs = events.map(({ seq }) => seq);
  if (seqs.some((seq, index) => seq !== index + 1)) trial.problem('LOG', `seq ${seqs.join(' ')}`);
  if (trial.boundary.scene === 'work' && file !== 'Steps done: all.\n') {
    trial.problem('FILE', `the file holds ${JSON.stringify(file)}`);
  }
}

/** Every request is valid for the API, and no request is repeated without a reason. */
function judgeRequests(trial: Trial): void {
  for (const { faults } of trial.requests) {
    if (faults.length > 0) trial.problem('INVALID', faults.join('; '));
  }
  const { scene } = trial.boundary;
  const extra = scene === 'plan' ? SCENES['carry-out'].answers.length - 1 : 0;
  const { answers, busy = 0, meanwhile, compaction } = SCENES[scene];
  const further = (meanwhile === undefined ? 0 : 1) + (compaction === undefined ? 0 : SUMMARIZED);
  const most = answers.length + extra + further + busy + trial.kills;
  if (trial.requests.length > most) {
    trial.problem('ASKED MODEL', `${trial.requests.length} requests where ${most} are enough`);
  }
  if (scene === 'busy') judgePause(trial);
}

function judgePause(trial: Trial): void {
  const [first, second] = trial.requests;
  // One millisecond less: the two clocks round differently.
  if (first !== undefined && second !== undefined && second.at - first.at < 999) {
    trial.problem('PAUSE', `asked again after ${second.at - first.at} ms`);
  }
}

function judgeEnds(trial: Trial): void {
  const { events } = trial;
  const wanted = SCENES[trial.boundary.scene].ends;
  const ends = of(events, 'turn_ended').map(({ payload }) => payload.reason);
  const errors = of(events, 'error').map(({ payload }) => payload.message);
  // No scene gives a turn a reason to fail.
  if (errors.length > 0) trial.problem('ERROR', errors.join('; '));
  if (ends.join() !== wanted.join()) trial.problem('END', `${ends.join()}, not ${wanted.join()}`);
  const begun = of(events, 'turn_started').length;
  if (begun !== wanted.length) trial.problem('TURNS', `${begun} turns were started`);
  const messages = of(events, 'user_message').map(({ payload }) => payload.text);
  if (new Set(messages).size !== messages.length)
    trial.problem('MESSAGE TWICE', messages.join(' | '));
  const second = SCENES[trial.boundary.scene].meanwhile?.text;
  if (second !== undefined && !messages.includes(second)) trial.problem('LOST MESSAGE', second);
  const texts = of(events, 'assistant_text').map(({ payload }) => payload.text);
  if (new Set(texts).size !== texts.length) trial.problem('TEXT TWICE', texts.join(' | '));
}

/** Each call has one result in the log, and the model received that result. */
function judgeCalls(trial: Trial): void {
  const results = of(trial.events, 'tool_result');
  for (const { toolCallId, payload } of of(trial.events, 'tool_call')) {
    const own = results.filter((result) => result.toolCallId === toolCallId);
    const isCleared = trial.boundary.scene === 'plan' && payload.toolName === 'ExitPlanMode';
    if (own.length !== 1) trial.problem('RESULT', `${toolCallId} has ${own.length} results`);
    const end = of(trial.events, 'turn_ended').find(({ turnId }) => turnId === own[0]?.turnId);
    if ((own[0]?.seq ?? 0) > (end?.seq ?? Number.POSITIVE_INFINITY)) {
      trial.problem('RESULT', `${toolCallId} has its result after the end of its turn`);
    }
    const output = textIn(own[0]?.payload.output);
    const received = resultReceived(trial, toolCallId ?? '');
    if (!isCleared && received?.includes(output) !== true) {
      trial.problem('TOLD', `${toolCallId}: ${received ?? 'nothing'} in place of ${output}`);
    }
    const mayFail = SCENES[trial.boundary.scene].mayFail ?? TOLD_UNKNOWN;
    if (own[0]?.payload.isError === true && !output.includes(mayFail)) {
      trial.problem('FAILED', `${payload.toolName}: ${output}`);
    }
  }
}

function textIn(output: unknown): string {
  return typeof output === 'string' ? output : '';
}

/** People are asked once, except whether a call that may have run shall run again. */
function judgeAsked(trial: Trial): void {
  const asked = of(trial.events, 'interaction_request').map(({ payload }) => payload);
  const usual = asked.filter(({ request }) => request['description'] !== AGAIN);
  const names = usual.map(({ toolName }) => toolName);
  if (new Set(names).size !== names.length) trial.problem('ASKED TWICE', names.join());
  const again = asked.filter(({ request }) => request['description'] === AGAIN);
  if (again.some(({ toolName }) => toolName !== 'Mail')) {
    trial.problem('ASKED AGAIN', again.map(({ toolName }) => toolName).join());
  }
  if (again.length > trial.kills) trial.problem('ASKED AGAIN', `${again.length} times`);
}

function judgeEffects(trial: Trial): void {
  for (const [tool, wanted] of Object.entries(SCENES[trial.boundary.scene].effects)) {
    const done = trial.effects.filter((effect) => effect.tool === tool);
    const repeats = done.filter(({ isRepeat }) => isRepeat);
    const id = done[0]?.toolCallId ?? '';
    if (done.some(({ toolCallId }) => toolCallId !== id)) {
      trial.problem('EFFECT', `${tool} ran for several calls: ${JSON.stringify(done)}`);
    }
    const evidence = `${done.length} times, ${repeats.length} of them declared as repeats`;
    if (tool === 'Lookup') {
      if (done.length < wanted) trial.problem('EFFECT', `${tool} never ran`);
      if (done.length > wanted + trial.kills) trial.problem('EFFECT', `${tool}: ${evidence}`);
    } else {
      const approved = approvedAgain(trial);
      if (done.length > wanted + approved) trial.problem('EFFECT', `${tool} ran ${evidence}`);
      if (done.length < wanted && !isDeniedAgain(trial))
        trial.problem('EFFECT', `${tool}: ${evidence}`);
    }
    if (repeats.length < done.length - wanted) trial.problem('EFFECT', `${tool} ran ${evidence}`);
    if (done.length > wanted && resultReceived(trial, id)?.includes(TOLD_AGAIN) !== true) {
      if (!isDeniedAgain(trial)) trial.problem('TOLD', `of the repeat of ${tool} nothing was said`);
    }
  }
}

function judgeAcknowledged(trial: Trial): void {
  const responses = of(trial.events, 'interaction_response');
  for (const { interactionId, outcome } of trial.acknowledged) {
    const found = responses.filter(({ payload }) => payload.interactionId === interactionId);
    if (found.length === 1 && found[0]?.payload.outcome === outcome) continue;
    trial.problem('LOST ANSWER', `${interactionId} was ${outcome}; ${found.length} in the log`);
  }
  for (const toolCallId of trial.results) {
    const received = resultReceived(trial, toolCallId);
    if (received !== 'A picture.') trial.problem('LOST RESULT', `${toolCallId}: ${received}`);
  }
}

export function approvedAgain(trial: Trial): number {
  return againOutcomes(trial).filter((outcome) => outcome === 'approved').length;
}

export function askedAgain(trial: Trial): number {
  const asked = of(trial.events, 'interaction_request');
  return asked.filter(({ payload }) => payload.request['description'] === AGAIN).length;
}

function isDeniedAgain(trial: Trial): boolean {
  return againOutcomes(trial).includes('denied');
}

function againOutcomes({ events }: Trial): string[] {
  const again = new Set(
    of(events, 'interaction_request')
      .filter(({ payload }) => payload.request['description'] === AGAIN)
      .map(({ payload }) => payload.interactionId),
  );
  return of(events, 'interaction_response')
    .filter(({ payload }) => again.has(payload.interactionId))
    .map(({ payload }) => payload.outcome);
}

/** The last result of a call that the model received. */
function resultReceived({ requests }: Trial, toolCallId: string): string | undefined {
  for (const { body } of requests.toReversed()) {
    const messages = isRecord(body) && Array.isArray(body['messages']) ? body['messages'] : [];
    for (const message of messages) {
      const content =
        isRecord(message) && Array.isArray(message['content']) ? message['content'] : [];
      const result = content.find(
        (block) => isRecord(block) && block['tool_use_id'] === toolCallId,
      );
      if (isRecord(result)) return resultText(result);
    }
  }
  return undefined;
}
