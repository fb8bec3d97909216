/** The conversation of a command-line agent that belongs to a session. */
import * as z from './zod.ts';
import { LIMITS } from '../limits.ts';

export const CliProvider = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, 'Use 1 to 32 of a-z 0-9 -')
  .describe('The program: `claude-code`, `codex`, or the name of another one.');
/** Part of a path, where `.` and `..` would name another resource. */
export const CliSessionId = z
  .string()
  .max(LIMITS.cliSessionIdChars)
  .regex(/^(?!\.{1,2}$)[\x21-\x7e]+$/, 'Use visible ASCII characters')
  .describe('The id that the program gave its conversation.');

export const CliSession = z
  .strictObject({
    provider: CliProvider,
    cliSessionId: CliSessionId,
    cwd: z.string().max(LIMITS.cliFolderChars).optional(),
    model: z.string().max(LIMITS.modelNameChars).optional(),
  })
  .meta({ id: 'CliSession' });
export type CliSession = z.infer<typeof CliSession>;

/** A CLI session that belongs to a session, with the extent of its imported history; both numbers are 0 before an import. */
export const CliSessionView = CliSession.extend({
  entries: z.number(),
  rev: z.number().describe('Grows when a rewritten transcript replaces entries.'),
}).meta({ id: 'CliSessionView' });
export type CliSessionView = z.infer<typeof CliSessionView>;
