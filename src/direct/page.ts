/** Which part of a list, as the query of a request would say it. */
import * as z from 'zod';
import type { PageAsk } from '../protocol/types.ts';
import { Cursor } from '../protocol/schema/cursor.ts';
import { LIMITS } from '../protocol/limits.ts';
import { check } from './border.ts';

const Page = z.strictObject({
  limit: z.number().int().min(1).max(LIMITS.pageMax, `Use 1 to ${LIMITS.pageMax}`).optional(),
  cursor: Cursor.optional(),
});

export function pageOf(page: PageAsk): z.output<typeof Page> {
  return check(Page, page);
}
