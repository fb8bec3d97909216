/** A decision: the events to write, the state after them and the reply; or a rejection with its evidence. */
import type { Rejection } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/json.ts';
import type { PermissionMode } from '../protocol/schema/session.ts';
import type { SessionDraft } from './session-draft.ts';

export type GateVerdict =
  | {
      readonly behavior: 'allow';
      readonly updatedInput: JsonObject;
      readonly by: { readonly rule: string } | { readonly mode: PermissionMode };
    }
  | {
      readonly behavior: 'deny';
      readonly message: string;
      readonly by: { readonly mode: PermissionMode };
    };

/** The reply to the sender; the session fills in records from the state after the commit. */
export type CommandReply =
  | { readonly type: 'session' }
  | { readonly type: 'interaction'; readonly interactionId: string; readonly created?: boolean }
  | { readonly type: 'gate'; readonly decision: GateVerdict }
  | { readonly type: 'answered-by-text'; readonly interactionId: string; readonly adjust: boolean }
  | { readonly type: 'turn'; readonly messageId: string; readonly turnId?: string }
  | { readonly type: 'retried'; readonly turnId: string }
  | { readonly type: 'queued'; readonly messageId: string }
  | { readonly type: 'cancelled'; readonly count: number }
  | { readonly type: 'done' };

export interface Decision extends SessionDraft {
  readonly ok: true;
  readonly reply: CommandReply;
}

export type DecisionResult = Decision | Rejection;

export function accept({ events, state, records }: SessionDraft, reply: CommandReply): Decision {
  return { ok: true, events, state, records, reply };
}
