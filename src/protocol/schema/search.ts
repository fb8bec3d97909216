/** What a search of a session finds. */
import * as z from './zod.ts';

const FoundEvent = z.strictObject({
  seq: z.number(),
  at: z.number(),
  type: z.string().describe('The type of the event.'),
  excerpt: z.string().describe('The text around the first place.'),
});
export type FoundEvent = Readonly<z.infer<typeof FoundEvent>>;

export const SearchPage = z
  .strictObject({
    events: z.array(FoundEvent),
    next: z
      .number()
      .exactOptional()
      .describe('The `before` of the next page, also of a page in which nothing was found.'),
  })
  .meta({ id: 'SearchPage' });
export interface SearchPage {
  readonly events: readonly FoundEvent[];
  readonly next?: number;
}
