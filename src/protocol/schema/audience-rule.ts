/** Rules of a workspace that say whom requests are for, and the groups that an audience may name. */
import * as z from './zod.ts';
import { LIMITS } from '../limits.ts';
import { Audience, GroupName, Labels } from './audience.ts';
import { SessionId } from './ids.ts';
import { KindName, Quorum, Seconds, ToolName } from './interaction.ts';
import { Name } from './name.ts';
import type { Rule } from './rule.ts';
import type { ModelPrice } from './prices.ts';

/**
 * Gives an audience to requests. The first rule that matches a request counts, and every given part of it must fit. What
 * the request names itself is kept, unless the rule says `override`.
 */
export const AudienceRule = z
  .strictObject({
    kinds: z.array(KindName).min(1).max(LIMITS.targetFilterNames).exactOptional(),
    tools: z.array(ToolName).min(1).max(LIMITS.targetFilterNames).exactOptional(),
    sessions: SessionId.exactOptional().describe('The beginning of the ids of sessions.'),
    labels: Labels.exactOptional(),
    audience: Audience.exactOptional(),
    quorum: Quorum.exactOptional().describe(
      'For approvals and plan reviews; a request may ask for more, and not for less.',
    ),
    notRequester: z.literal(true).exactOptional().describe('Who asks may not decide.'),
    override: z
      .literal(true)
      .exactOptional()
      .describe('Also replaces the audience and the `escalateTo` that a request names.'),
    remindAfter: Seconds.exactOptional(),
    escalateAfter: Seconds.exactOptional(),
    escalateTo: Audience.exactOptional(),
  })
  .refine(
    ({ escalateAfter, escalateTo }) => escalateTo === undefined || escalateAfter !== undefined,
    { message: 'Say when, with escalateAfter', path: ['escalateTo'] },
  )
  .refine(
    ({ audience, quorum, notRequester }) => (audience ?? quorum ?? notRequester) !== undefined,
    { message: 'Give an audience, a quorum or notRequester', path: ['audience'] },
  )
  .meta({ id: 'AudienceRule' });
export type AudienceRule = z.infer<typeof AudienceRule>;

export const PutGroup = z
  .strictObject({ subjects: z.array(Name).max(LIMITS.groupMembers) })
  .meta({ id: 'PutGroup' });

export const GroupView = z
  .strictObject({ name: GroupName, subjects: z.array(z.string()) })
  .meta({ id: 'Group' });
export type GroupView = z.infer<typeof GroupView>;

/** What sessions keep a copy of: whom requests are for, who belongs to it, what needs no request, and prices. */
export interface AudiencePolicy {
  readonly rules: readonly AudienceRule[];
  readonly groups: readonly GroupView[];
  /** By the id of the target; only of targets that have a name. */
  readonly targetNames: Readonly<Record<string, string>>;
  /** What the gate of every session decides by. */
  readonly gateRules: readonly Rule[];
  /** What the tokens of the built-in agent cost. */
  readonly prices: readonly ModelPrice[];
}

/** What a workspace says of a person who has voted, by the credential of the vote. */
export interface VoterStanding {
  readonly subject: string;
  readonly credential?: string;
  /** The credential was revoked, or the person was removed. */
  readonly isGone: boolean;
  readonly groups: readonly string[];
  readonly targets: readonly string[];
}
