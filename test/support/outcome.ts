/** Reads a decision; a test that expects another outcome fails with the actual decision. */
import type { DecisionResult, Decision } from '../../src/core/decision.ts';
import type { ErrorCode, Rejection } from '../../src/protocol/errors.ts';
import type { EventOf, EventType } from '../../src/protocol/schema/event.ts';

export function accepted(decided: DecisionResult): Decision {
  if (!decided.ok) throw new Error(`Refused with ${decided.code}: ${decided.message}`);
  return decided;
}

export function refused(decided: DecisionResult): Rejection {
  if (decided.ok) throw new Error(`Accepted with ${JSON.stringify(decided.events)}`);
  return decided;
}

/** The types of the events in order, or the code of the refusal. */
export function outcomeOf(decided: DecisionResult): readonly EventType[] | ErrorCode {
  return decided.ok ? decided.events.map((event) => event.type) : decided.code;
}

/** The payload of the one event of this type in a decision. */
export function payloadOf<T extends EventType>(
  decided: DecisionResult,
  type: T,
): EventOf<T>['payload'] {
  const found = accepted(decided).events.filter((event) => event.type === type);
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${found.length} events of ${type}`);
  return only.payload as EventOf<T>['payload'];
}

/** The id of the interaction that was opened or named. */
export function idOf(decided: DecisionResult): string {
  const { reply } = accepted(decided);
  if (!('interactionId' in reply)) throw new Error(`The reply is ${reply.type}`);
  return reply.interactionId;
}
