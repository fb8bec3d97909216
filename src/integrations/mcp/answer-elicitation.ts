/**
 * Answers the questions of MCP servers, for a host that is an MCP client.
 *
 * ```ts
 * client.setRequestHandler('elicitation/create', ({ params }) => answer(params));
 * ```
 *
 * A form is asked as a form, and an address as a link that a person opens. `decline` is the decision of a person; every
 * failure to ask is `cancel`, which a server must read as neither consent nor refusal.
 */
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import type { AskOptions } from '../../client/agent/requests.ts';
import { createOnElicitation } from '../claude/on-elicitation.ts';
import type { ElicitationResult } from '../claude/claude-sdk.ts';

/** `params` of `elicitation/create`. */
export interface Elicitation {
  readonly mode?: 'form' | 'url' | undefined;
  readonly message: string;
  readonly requestedSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly url?: string | undefined;
}

export interface ElicitationOptions extends Pick<AskOptions, 'signal' | 'timeoutSeconds'> {
  /** The name of the server that asks, for the person. */
  readonly serverName?: string | undefined;
  /** The id of the request, so that a repeat finds the same question. */
  readonly requestId?: string | undefined;
}

export function answerElicitation(
  holdpoint: Holdpoint,
): (request: Elicitation, options?: ElicitationOptions) => Promise<ElicitationResult> {
  return (request, { serverName = 'MCP server', timeoutSeconds, signal, requestId } = {}) =>
    createOnElicitation({ client: holdpoint, timeoutSeconds })(
      { serverName, ...request },
      { signal, requestId },
    );
}
