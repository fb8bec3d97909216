/** A decision in progress: the events so far, and session and run after them. */
import type { Facts } from '../../core/decision.ts';
import type { SessionDraft } from '../../core/session-draft.ts';
import type { SessionState } from '../../core/state.ts';
import type { StoredSummary } from '../conversation.ts';
import type { ModelMessage } from '../message.ts';
import type { FileChange } from '../tools/ports.ts';
import type { Run } from './run.ts';
import type { ModelPrice } from '../../protocol/schema/prices.ts';

export interface RunFacts extends Facts {
  readonly isModelConfigured: boolean;
  /** The newest plan among the files of the session. */
  readonly plan?: string | undefined;
  /** The text so far of the active answer, for a command that stops it. */
  readonly partialAnswer?: string | undefined;
  /** Of the workspace; absent, a turn has no cost. */
  readonly prices?: readonly ModelPrice[];
}

/** The changes beside the events, in the same transaction. */
export interface RunChange {
  readonly run: Run | null;
  /** Added to the conversation. */
  readonly messages: readonly ModelMessage[];
  /** Deletes the earlier messages first. */
  readonly clearsConversation: boolean;
  readonly files: readonly FileChange[];
  /** From here on the model reads it; `restored`: what it replaced, in its place. Absent: nothing changes. */
  readonly summary?: StoredSummary | 'restored';
}

export interface RunDraft extends RunChange, SessionDraft {
  readonly before: SessionState;
}

/** Starts from a decision about the session alone. */
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
