/** How much may be open in a session at once, and held for it: the refusals of a request that goes beyond. */
import { countBytes } from '../protocol/bytes.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Interaction, WholeInput } from '../protocol/schema/interaction.ts';
import type { Facts } from './decision.ts';
import type { SessionState } from './state.ts';

export function rejectIfTooMany(
  state: SessionState,
  replaced: Interaction | undefined,
): Rejection | undefined {
  if (replaced === undefined && state.open.size >= LIMITS.openInteractions) {
    return reject(
      'limit_reached',
      'Too many interactions are open in this session; settle or cancel one first',
      {
        limit: 'openInteractions',
        max: LIMITS.openInteractions,
      },
    );
  }
  if (replaced !== undefined && (replaced.reprompts ?? 0) >= LIMITS.repromptsPerToolCall) {
    return reject(
      'limit_reached',
      'This tool call was asked about too many times; open with a new toolCallId',
      {
        limit: 'repromptsPerToolCall',
        max: LIMITS.repromptsPerToolCall,
      },
    );
  }
  return undefined;
}

/** A single request always fits: the limits of a body and of a model's output bound it. */
export function rejectIfTooLarge(
  state: SessionState,
  opened: Pick<Interaction, 'request'>,
  replaced: Interaction | undefined,
): Rejection | undefined {
  const max = LIMITS.openRequestBytes;
  const others = [...state.open.values()].filter(
    (one) => one.interactionId !== replaced?.interactionId,
  );
  if (others.length === 0) return undefined;
  const bytes = [opened, ...others].reduce((sum, one) => sum + requestBytes(one), 0);
  if (bytes <= max) return undefined;
  return reject(
    'limit_reached',
    'The open requests of this session are too large together; settle or cancel one first',
    {
      limit: 'openRequestBytes',
      max,
    },
  );
}

/** Of the held inputs of a session, settled ones included: each stays as long as the log. */
export function rejectIfFull(
  { heldBytes = 0 }: Pick<Facts, 'heldBytes'>,
  held: WholeInput | undefined,
): Rejection | undefined {
  const max = LIMITS.wholeInputsBytes;
  if (held === undefined || heldBytes + held.bytes <= max) return undefined;
  return reject(
    'limit_reached',
    'This session holds too many large inputs; continue in a new session',
    { limit: 'wholeInputsBytes', max },
  );
}

/** Requests never change, and serializing one takes time in proportion to its size. */
const REQUEST_BYTES = new WeakMap<JsonObject, number>();

function requestBytes({ request }: Pick<Interaction, 'request'>): number {
  const known = REQUEST_BYTES.get(request);
  if (known !== undefined) return known;
  const bytes = countBytes(JSON.stringify(request));
  REQUEST_BYTES.set(request, bytes);
  return bytes;
}
