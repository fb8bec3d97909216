/** How long sessions are kept after their last event. */
import * as z from './zod.ts';
import { LIMITS } from '../limits.ts';

const RetentionDays = z.number().int().min(1).max(LIMITS.retentionDays);

export const Retention = z
  .strictObject({
    days: RetentionDays.describe('Days after the last event.'),
    exportFirst: z
      .literal(true)
      .exactOptional()
      .describe('Only sessions that an administrator has exported to their last event.'),
    keepLabels: z
      .array(z.string().min(1).max(LIMITS.labelChars))
      .max(LIMITS.labels)
      .exactOptional()
      .describe('Sessions with a label of one of these names are kept.'),
  })
  .meta({ id: 'Retention' });
export type Retention = z.infer<typeof Retention>;

export const RetentionPreview = z
  .strictObject({
    sessions: z.array(
      z.strictObject({ id: z.string(), title: z.string().nullable(), activeAt: z.number() }),
    ),
    kept: z
      .strictObject({
        open: z.number(),
        pinned: z.number(),
        labelled: z.number(),
        notExported: z.number(),
      })
      .describe('Of the sessions that are old enough, those that are kept, and why.'),
    isPartial: z.boolean().describe('There are more sessions of this age than were looked at.'),
  })
  .meta({ id: 'RetentionPreview' });
export type RetentionPreview = z.infer<typeof RetentionPreview>;
