/** What a reply says about an interaction, as a part of a claim. */
import type { JsonObject } from '../../../src/protocol/json.ts';
import type { Performed } from './crash-context.ts';
import { outcomeOf } from './waiters.ts';

export function interactionIn({ body }: Pick<Performed, 'body'>) {
  const interactionId = body.interaction?.interactionId;
  return interactionId === undefined ? {} : { interactionId, ...outcomeOf(body) };
}

/** The outcome that a 409 reports. */
export function settledOutcome(details: JsonObject | undefined) {
  const outcome = details?.outcome;
  return typeof outcome === 'string' ? { outcome: outcome as 'approved' } : {};
}
