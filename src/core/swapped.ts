/**
 * Whether an open request took the place of another that nobody decided.
 *
 * A surface that shows the earlier one cannot tell, so an answer that does not say what was seen, by
 * interaction id or by digest, may be meant for what is gone.
 */
import { type Rejection, reject } from '../protocol/errors.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';

export function isSwapped({ replaces, inputChanged }: Interaction): boolean {
  return replaces !== undefined || inputChanged === true;
}

/** With the digest of the present input: whoever has looked at it can send that along. */
export function refuseUnseen({ interactionId, inputDigest }: Interaction): Rejection {
  return reject('input_changed', 'What you saw is not what is being asked now. Look again.', {
    interactionId,
    inputDigest,
  });
}
