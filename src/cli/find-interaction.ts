/** Finds an interaction by what a person copies: its reference, or its id alone if one session has it open. */
import type { Transport } from '../client/transport.ts';
import type { Interaction } from '../protocol/types.ts';
import { parseReference } from './ask-person.ts';
import { CliError, EXIT } from './exit-code.ts';

export interface FoundInteraction {
  readonly sessionId: string;
  readonly interaction: Interaction;
}

/** The number of open interactions that are looked through. */
const PAGE = 1_000;

export async function findInteraction(
  transport: Transport,
  text: string,
  inSession: string | undefined,
): Promise<FoundInteraction> {
  const { session = inSession, interactionId } = parseReference(text);
  const sessionId = session ?? (await findOpen(transport, interactionId));
  return { sessionId, interaction: await transport.interaction(sessionId, interactionId) };
}

async function findOpen(transport: Transport, id: string): Promise<string> {
  const { interactions } = await transport.inbox({ limit: PAGE });
  const [first, second] = interactions.filter(({ interactionId }) => interactionId === id);
  if (first === undefined) {
    throw new CliError(
      `No session has ${id} open. If it is settled, name its session: SESSION/${id}.`,
      EXIT.refused,
      'not_found',
    );
  }
  if (second !== undefined) {
    throw new CliError(
      `Several sessions have ${id} open: ${first.sessionId}/${id}, ${second.sessionId}/${id}.`,
      EXIT.usage,
      'usage',
    );
  }
  return first.sessionId;
}
