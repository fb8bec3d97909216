/** A file that the built-in agent keeps in its session. */
import * as z from 'zod';

export const SessionFileEntry = z
  .strictObject({
    path: z.string(),
    /** In bytes of UTF-8. */
    size: z.number(),
    updatedAt: z.number(),
  })
  .meta({ id: 'SessionFileEntry' });
export type SessionFileEntry = z.infer<typeof SessionFileEntry>;

export const SessionFile = SessionFileEntry.extend({ content: z.string() }).meta({
  id: 'SessionFile',
});
export type SessionFile = z.infer<typeof SessionFile>;
