/**
 * The history of a command-line agent, imported from its transcript.
 *
 * History is stored beside the log and has no `seq`. An entry has the id and the time of its line in the transcript, and
 * the payload that an event of its type has in the log. No field has a default: an entry is stored, compared and
 * returned as the text in which it was sent.
 */
import * as z from './zod.ts';
import { LIMITS } from '../limits.ts';
import { CliProvider, CliSessionId } from './cli-session.ts';
import { PAYLOADS, Text } from './event.ts';
import { Usage } from './usage.ts';
import { ResponseId, ToolCallId, TurnId } from './ids.ts';

const HistoryEnvelope = {
  id: z.string().min(1).max(LIMITS.historyIdChars),
  /** The time in the transcript, which the server does not judge. */
  at: z.int().min(0),
  turnId: TurnId.optional(),
  responseId: ResponseId.optional(),
};
const HistoryOfCall = { ...HistoryEnvelope, toolCallId: ToolCallId };

export const HistoryEntry = z
  .discriminatedUnion('type', [
    z.strictObject({
      ...HistoryEnvelope,
      type: z.literal('turn_started'),
      payload: PAYLOADS.turn_started.omit({ by: true }),
    }),
    z.strictObject({
      ...HistoryEnvelope,
      type: z.literal('turn_ended'),
      payload: z.strictObject({
        reason: z.enum(['completed', 'interrupted', 'error', 'cleared']),
        message: Text.optional(),
        usage: Usage.optional(),
      }),
    }),
    z.strictObject({
      ...HistoryEnvelope,
      type: z.literal('user_message'),
      payload: z.strictObject({ text: Text }),
    }),
    z.strictObject({
      ...HistoryEnvelope,
      type: z.literal('assistant_text'),
      payload: PAYLOADS.assistant_text,
    }),
    z.strictObject({ ...HistoryEnvelope, type: z.literal('thinking'), payload: PAYLOADS.thinking }),
    z.strictObject({
      ...HistoryOfCall,
      type: z.literal('tool_call'),
      payload: PAYLOADS.tool_call.omit({ decided: true, runBy: true }),
    }),
    z.strictObject({
      ...HistoryOfCall,
      type: z.literal('tool_result'),
      payload: PAYLOADS.tool_result,
    }),
    z.strictObject({
      ...HistoryEnvelope,
      toolCallId: ToolCallId.optional(),
      type: z.literal('error'),
      payload: PAYLOADS.error.omit({ by: true }),
    }),
  ])
  .meta({ id: 'HistoryEntry' });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

const HistoryDigest = z
  .string()
  .regex(/^([0-9a-f]{64})?$/, 'Use the digest of the entries before `from`, or an empty text');

/** A page of a transcript; `prefixDigest` vouches for the entries before `from`. */
export const HistoryImport = z
  .strictObject({
    provider: CliProvider,
    cliSessionId: CliSessionId,
    from: z.int().min(0),
    prefixDigest: HistoryDigest,
    entries: z.array(HistoryEntry).min(1).max(LIMITS.historyPageEntries),
  })
  .meta({ id: 'HistoryImport' });
export type HistoryImport = z.infer<typeof HistoryImport>;

/** What is stored of a CLI session after an import. */
export const HistoryExtent = z
  .strictObject({ entries: z.number(), digest: HistoryDigest, rev: z.number() })
  .meta({ id: 'HistoryExtent' });
export type HistoryExtent = z.infer<typeof HistoryExtent>;

/**
 * Entries of one CLI session. The CLI sessions of a session follow one another in the order of their mapping; the fields
 * of the source are absent if nothing is left.
 */
export const HistoryPage = z
  .strictObject({
    provider: CliProvider.optional(),
    cliSessionId: CliSessionId.optional(),
    rev: z.number().optional(),
    from: z.number().optional().describe('The number of the first entry, from 0.'),
    entries: z.array(HistoryEntry),
    next: z.string().optional(),
  })
  .meta({ id: 'HistoryPage' });
export type HistoryPage = z.infer<typeof HistoryPage>;

/**
 * A page as it was sent. The schema of an object returns a new object with the members in the order of the schema, and
 * the digest of an entry is taken over the text that the client has.
 */
export const HistoryImportAsSent = z.unknown().transform((page, { issues }): HistoryImport => {
  const { error } = HistoryImport.safeParse(page);
  issues.push(...((error?.issues ?? []) as typeof issues));
  return page as HistoryImport;
});
