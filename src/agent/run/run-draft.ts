/** What is being decided about a session and its run: the events so far, and both with them. */
import type { Facts } from '../../core/facts.ts';
import type { SessionDraft } from '../../core/session-draft.ts';
import type { SessionState } from '../../core/state.ts';
import type { ModelMessage } from '../message.ts';
import type { FileChange } from '../tools/ports.ts';
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
  readonly messages: readonly ModelMessage[];
  /** What was said before is forgotten first. */
  readonly clearsConversation: boolean;
  readonly files: readonly FileChange[];
}

export interface RunDraft extends RunChange, SessionDraft {
  readonly before: SessionState;
}

/** What was decided of a session, to go on from with its run. */
export function startRunDraft(
  before: SessionState,
  run: Run | null,
  { events, state, records }: SessionDraft,
): RunDraft {
  return {
    before,
    events,
    state,
    records,
    run,
    messages: [],
    clearsConversation: false,
    files: [],
  };
}

export function addMessage(draft: RunDraft, message: ModelMessage): RunDraft {
  return message.content.length === 0
    ? draft
    : { ...draft, messages: [...draft.messages, message] };
}

export function setRun(draft: RunDraft, run: Run | null): RunDraft {
  return { ...draft, run };
}
