/** The built-in agent as a caller. */
import type { Caller } from '../protocol/caller.ts';

/** No key, token or administrator has this name: their names hold no space. */
const AGENT_CREDENTIAL = 'built-in agent';

export const AGENT_CALLER: Caller = {
  credential: AGENT_CREDENTIAL,
  subject: 'agent',
  via: 'system',
  scopes: ['agent'],
};

/** The built-in agent has the outcome in the commit of the answer; no connection carries it. */
export function isOpenedByAgent({
  openedBy,
}: {
  readonly openedBy: { readonly credential: string };
}) {
  return openedBy.credential === AGENT_CREDENTIAL;
}
