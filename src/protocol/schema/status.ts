/** The state of a workspace at one time: what waits, who is connected, how long answers take, which targets fail. */
import * as z from './zod.ts';

const Measured = {
  count: z.number(),
  medianMs: z.number().nullable(),
  p95Ms: z.number().nullable(),
};

export const AnswerTimesOf = z
  .strictObject({
    kinds: z.array(z.strictObject({ kind: z.string(), ...Measured })),
    points: z
      .array(z.strictObject({ at: z.number(), ...Measured }))
      .describe('Of each hour or day, the oldest first; `at` is its beginning, in UTC.'),
  })
  .meta({ id: 'AnswerTimes' });
export type AnswerTimesOf = z.infer<typeof AnswerTimesOf>;

/** Requests that a person answered; the times are right to some 15 percent. */
export interface AnswerTimes {
  readonly day: AnswerTimesOf;
  readonly week: AnswerTimesOf;
}

const AgentsStatus = z.strictObject({
  connected: z.number().describe('Credentials of agents with a connection or a wait.'),
  sessions: z.number().describe('The sessions that were asked: with open requests, or new.'),
  isPartial: z.boolean().describe('Some sessions were not asked, or did not answer.'),
});
export type AgentsStatus = z.infer<typeof AgentsStatus>;

const TargetStatus = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  disabledAt: z.number().nullable(),
  failed: z.number().describe('Of its newest twenty deliveries, those that failed so far.'),
});
export type TargetStatus = z.infer<typeof TargetStatus>;

export const Status = z
  .strictObject({
    now: z.number(),
    open: z.number(),
    oldestOpenedAt: z.number().nullable(),
    agents: AgentsStatus.optional(),
    answers: z.strictObject({ day: AnswerTimesOf, week: AnswerTimesOf }).optional(),
    targets: z
      .array(TargetStatus)
      .optional()
      .describe('Targets that were disabled or whose newest deliveries failed.'),
  })
  .meta({ id: 'Status', description: 'Without `admin` only `now`, `open` and `oldestOpenedAt`.' });
export type Status = z.infer<typeof Status>;
