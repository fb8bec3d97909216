/** Finds the result of an earlier command that had the same idempotency key. */
import type { Command, Context } from '../protocol/schema/command.ts';
import { reject, type Rejection } from '../protocol/errors.ts';
import type { SessionStore, StoredResult } from './ports.ts';

/** A tool call is reported once in a session, whichever credential reports it; other keys belong to a credential. */
export function resultKeyOf(
  { type }: Pick<Command, 'type'>,
  { caller, idempotency }: Context,
): string | undefined {
  if (idempotency === undefined) return undefined;
  const { key, isToolCall = false } = idempotency;
  return isToolCall ? `tool-call|${key}` : `${caller.credential}|${type}|${key}`;
}

/** A refusal if the key was used for another request. */
export function findEarlierResult(
  store: SessionStore,
  command: Command,
  context: Context,
  now: number,
): StoredResult | Rejection | undefined {
  const key = resultKeyOf(command, context);
  const earlier = key === undefined ? undefined : store.findResult(key, now);
  if (earlier === undefined) return undefined;
  return earlier.bodyHash === context.idempotency?.bodyHash ? earlier : rejectReuse(context);
}

export function rejectReuse({ idempotency }: Context): Rejection {
  return idempotency?.isToolCall === true
    ? reject('tool_call_exists', 'Another tool call was reported under this id; give each its own')
    : reject('idempotency_key_reused', 'This Idempotency-Key was used for another request');
}
