/** The built-in agent, as the one who asks. */
import type { Caller } from '../protocol/caller.ts';

/** No key, token or administrator has this name: theirs hold no space. */
const AGENT_CREDENTIAL = 'built-in agent';

export const AGENT_CALLER: Caller = {
  credential: AGENT_CREDENTIAL,
  subject: 'agent',
  via: 'system',
  scopes: ['agent'],
};

/** It needs nobody to carry the outcome to it: it has it in the commit of the answer. */
export function isOpenedByAgent({
  openedBy,
}: {
  readonly openedBy: { readonly credential: string };
}) {
  return openedBy.credential === AGENT_CREDENTIAL;
}
