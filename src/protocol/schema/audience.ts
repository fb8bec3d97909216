/**
 * Whom a request is for: people by their subject, groups of the workspace, and targets by id or name.
 *
 * Names are compared as they are, character by character. A subject is the name that a credential carries, so it has the
 * same schema; groups and targets have short names of a program.
 */
import * as z from './zod.ts';
import { LIMITS } from '../limits.ts';
import { Name } from './name.ts';

const SLUG = /^[a-z0-9][a-z0-9.-]{0,63}$/;
const TARGET_ID = /^tgt_[A-Za-z0-9]{1,64}$/;

export const GroupName = z
  .string()
  .regex(SLUG, 'Use 1 to 64 of a-z 0-9 . -, beginning with a letter or a digit')
  .meta({ description: 'The group.', example: 'ops' });

/** No name looks like an id. */
export const TargetName = z
  .string()
  .regex(SLUG, 'Use 1 to 64 of a-z 0-9 . -, beginning with a letter or a digit')
  .describe('Unique in the workspace; an audience may name the target by it.');

const TargetRef = z
  .string()
  .refine((text) => SLUG.test(text) || TARGET_ID.test(text), 'Use the id or the name of a target');

/** At most as many as a person reads on one card; groups are for more people. */
export const Audience = z
  .strictObject({
    subjects: z.array(Name).exactOptional(),
    groups: z.array(GroupName).exactOptional(),
    targets: z.array(TargetRef).exactOptional(),
  })
  .superRefine((audience, context) => {
    const entries = countEntries(audience);
    const { audienceEntries } = LIMITS;
    const message =
      entries === 0
        ? 'Name at least one subject, group or target'
        : entries > audienceEntries
          ? `Name at most ${audienceEntries} in all; use a group for more people`
          : undefined;
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .meta({ id: 'Audience', description: 'Who is asked: one of the named is enough.' });
export type Audience = z.infer<typeof Audience>;

function countEntries({ subjects = [], groups = [], targets = [] }: StoredAudience): number {
  return subjects.length + groups.length + targets.length;
}

/** Without limits: after an escalation it names both audiences. */
export const StoredAudience = z
  .strictObject({
    subjects: z.array(z.string()).exactOptional(),
    groups: z.array(z.string()).exactOptional(),
    targets: z.array(z.string()).exactOptional(),
  })
  .meta({ id: 'AskedAudience' });
export type StoredAudience = z.infer<typeof StoredAudience>;

/** Fixed facts about a session, set by its program, by which targets and audience rules select. */
export const Labels = z
  .record(
    z.string().regex(SLUG, 'Use 1 to 64 of a-z 0-9 . - for the name of a label'),
    z.string().min(1).max(LIMITS.labelChars),
  )
  .refine(
    (labels) => Object.keys(labels).length <= LIMITS.labels,
    `Use at most ${LIMITS.labels} labels`,
  )
  .describe('Name and value, for example {"env": "production"}.');
export type Labels = z.infer<typeof Labels>;

/** Every given label must be on the session, with this value. */
export function hasLabels(wanted: Labels | undefined, labels: Labels): boolean {
  return Object.entries(wanted ?? {}).every(([name, value]) => labels[name] === value);
}
