/** Who decides on a request, as the arguments of a tool say it. */
import * as z from 'zod';
import type { Deciding } from '../../protocol/deciding.ts';
import { LIMITS } from '../../protocol/limits.ts';

export const DECIDING_INPUT = {
  approvals: z
    .number()
    .int()
    .min(1)
    .max(LIMITS.quorumApprovals)
    .describe('How many people must approve, for an approval or a plan; one denial ends it.')
    .optional(),
  people: z.array(z.string()).describe('Who is asked, by the names of their accounts.').optional(),
  groups: z.array(z.string()).describe('The groups who are asked.').optional(),
  not_requester: z.boolean().describe('Whoever asks may not decide.').optional(),
};

type DecidingInput = z.output<z.ZodObject<typeof DECIDING_INPUT>>;

/** What the call says counts before what its host says for every call. */
export function decidingOf(args: DecidingInput, host: Deciding = {}): Deciding {
  const { approvals, people = [], groups = [], not_requester: notRequester } = args;
  const audience = {
    ...(people.length > 0 && { subjects: people }),
    ...(groups.length > 0 && { groups }),
  };
  return {
    // A model cannot ask for fewer people than the person who set up the server.
    approvals: mostOf(approvals, host.approvals),
    audience: Object.keys(audience).length > 0 ? audience : host.audience,
    notRequester: notRequester === true || host.notRequester === true,
  };
}

function mostOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}
