/** What is being decided about a session and its run: the events so far, and both as if they were written. */
import type { Facts } from '../../core/facts.ts';
import { preview } from '../../core/stamp.ts';
import type { SessionState } from '../../core/state.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import type { ModelMessage } from '../message.ts';
import type { FileChange } from '../tools/tool-ports.ts';
import type { Run } from './run.ts';

export interface RunFacts extends Facts {
  readonly isModelConfigured: boolean;
  /** The newest plan among the files of the session. */
  readonly plan?: string | undefined;
  /** The text so far of the answer that the model is giving, for a command that stops it. */
  readonly partialAnswer?: string | undefined;
}

/** What is written beside the events, in their transaction. */
export interface RunChange {
  readonly run: Run | null;
  /** Added to the conversation. */
  readonly said: readonly ModelMessage[];
  /** What was said before is forgotten first. */
  readonly forgets: boolean;
  readonly files: readonly FileChange[];
}

export interface RunDraft extends RunChange {
  readonly before: SessionState;
  readonly state: SessionState;
  readonly events: readonly DraftEvent[];
}

export function draftOf(
  before: SessionState,
  run: Run | null,
  events: readonly DraftEvent[],
  now: number,
): RunDraft {
  const state = preview(before, events, now);
  return { before, state, events, run, said: [], forgets: false, files: [] };
}

export function emit(draft: RunDraft, events: readonly DraftEvent[], now: number): RunDraft {
  const state = preview(draft.state, events, now);
  return { ...draft, state, events: [...draft.events, ...events] };
}

export function say(draft: RunDraft, message: ModelMessage): RunDraft {
  return message.content.length === 0 ? draft : { ...draft, said: [...draft.said, message] };
}

export function withRun(draft: RunDraft, run: Run | null): RunDraft {
  return { ...draft, run };
}
