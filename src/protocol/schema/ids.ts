/** The schemas of ids. All ids are safe in a URL path. */
import * as z from './zod.ts';
import { INTERACTION_ID, NOT_AN_INTERACTION_ID, SAFE } from '../ids.ts';

export const SessionId = z
  .string()
  .regex(
    new RegExp(`^(?![.])${SAFE}{1,128}$`),
    'Use 1 to 128 of A-Z a-z 0-9 _ . : - (not starting with a dot)',
  );
export const ToolCallId = z
  .string()
  .regex(new RegExp(`^${SAFE}{1,128}$`), 'Use 1 to 128 of A-Z a-z 0-9 _ . : -');
export const TurnId = ToolCallId;
export const ResponseId = ToolCallId;
export const InteractionId = z.string().regex(INTERACTION_ID, NOT_AN_INTERACTION_ID);
/** A name that an agent makes up when it starts. */
export const AgentInstance = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,128}$/, 'Use 8 to 128 of A-Z a-z 0-9 _ -');
export const IdempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,128}$/, 'Use 8 to 128 of A-Z a-z 0-9 _ -');
