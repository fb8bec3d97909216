/** The built-in agent, as the one who asks. */
import type { Caller } from '../protocol/caller.ts';

/** No key, token or administrator has this name: theirs hold no space. */
const CREDENTIAL = 'built-in agent';

export const BUILT_IN_AGENT: Caller = {
  credential: CREDENTIAL,
  subject: 'agent',
  via: 'system',
  scopes: ['agent'],
};

/** It needs nobody to carry the outcome to it: it has it in the commit of the answer. */
export function isAskedByAgent({
  openedBy,
}: {
  readonly openedBy: { readonly credential: string };
}) {
  return openedBy.credential === CREDENTIAL;
}
