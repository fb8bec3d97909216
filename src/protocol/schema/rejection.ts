/** The schema of refusals, and refusals made from failed schemas. */
import * as z from 'zod';
import { type ErrorCode, ERRORS, type Rejection, reject } from '../errors.ts';
import { NOT_AN_INTERACTION_ID } from '../ids.ts';
import { MAX_ISSUES, plainIssues } from './schema-issues.ts';

export const ErrorBody = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      details: z.record(z.string(), z.unknown()).optional(),
      requestId: z.string(),
    }),
  })
  .meta({ id: 'Error', description: 'Every refusal has this shape.' });

/** Lists the issues with readable paths; the message is the first issue. */
export function schemaRejection(error: z.ZodError, code: ErrorCode = 'invalid_request'): Rejection {
  const found = plainIssues(error.issues);
  const [first] = found;
  if (first === undefined) return reject(code, 'This does not fit');
  const where = first.path === '' ? '' : `${first.path}: `;
  const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
  const issues = found.slice(0, MAX_ISSUES).map(({ path, message }) => ({ path, message }));
  const isCut = found.length > MAX_ISSUES;
  return reject(code, `${where}${first.message}${more}`, {
    issues,
    ...(isCut && { total: found.length }),
  });
}

/** For a malformed id: `not_found`, with the problem where that helps. */
export function unknownId(error: z.ZodError): Rejection {
  const issues = plainIssues(error.issues).slice(0, MAX_ISSUES);
  const isInteraction = issues[0]?.message === NOT_AN_INTERACTION_ID;
  const message = isInteraction ? NOT_AN_INTERACTION_ID : 'There is nothing with this id';
  return reject('not_found', message, { issues: issues.map((issue) => ({ ...issue })) });
}
