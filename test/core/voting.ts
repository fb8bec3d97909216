/** A request that two people must approve, for the tests of votes. */
import type { JsonObject } from '../../src/protocol/json.ts';
import type { AudienceRule } from '../../src/protocol/schema/audience-rule.ts';
import { answer, askApproval } from '../support/asks.ts';
import { person } from '../support/callers.ts';
import { CoreWorld, startedWorld } from '../support/core-world.ts';
import { accepted } from '../support/outcome.ts';

export const TWO = { quorum: { approvals: 2 } };

export const YES = { decision: 'approve' };

export const NO = { decision: 'deny' };

export const WITHDRAW = { type: 'interaction.withdraw', interactionId: 'call-1~1' } as const;

export const SETTLED = ['interaction_response', 'interaction_pending'];

export const VOTED = ['interaction_update'];

export function asked(
  common: JsonObject = TWO,
  request: JsonObject = {},
  rules?: readonly AudienceRule[],
) {
  const world = startedWorld(rules === undefined ? {} : { audienceRules: rules });
  accepted(world.run(askApproval(common, request)));
  return world;
}

export const votesOf = (world: CoreWorld) =>
  (world.record('call-1~1').votes ?? []).map(({ by }) => by.subject);

export function give(
  world: CoreWorld,
  name: string,
  given: JsonObject = YES,
  caller = person(name),
) {
  return world.run(answer('call-1~1', given), { caller });
}

export type Step = 'yes' | 'no' | 'other' | 'withdraw';
