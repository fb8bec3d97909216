/**
 * `onElicitation` of the Claude Agent SDK: what an MCP server wants to know, as a form.
 *
 * Declined is what a person said; everything that kept one from being asked is `cancel`, which the
 * server may not read as either. Links to sign in at are cancelled: there is no one at this address
 * who could open them.
 */
import {
  takenBack,
  tellAsked,
  tellResolved,
  told,
  type BridgeOptions,
  bridgeOf,
  TIME_TO_ANSWER,
} from './bridge.ts';
import type { ElicitationResult, OnElicitation } from './sdk-types.ts';
import { shownLines, shownText, toolCallIdOf } from './sdk-values.ts';

const TITLE_CHARS = 200;

export function createOnElicitation(options: BridgeOptions): OnElicitation {
  const bridge = bridgeOf(options);
  const { client } = bridge;
  const { onDenied = (tool, cause) => console.warn(`holdpoint: ${tool} was not asked:`, cause) } =
    bridge;
  return async (request, { signal, requestId } = {}) => {
    const { serverName, mode, message, requestedSchema: schema } = request;
    if (mode === 'url' || schema === undefined) return { action: 'cancel' };
    const title = shownText(request.title ?? request.displayName ?? serverName, TITLE_CHARS);
    const description = shownLines([message, request.description]);
    const form = { schema, ...(title !== '' && { title }), ...(description && { description }) };
    try {
      const outcome = await client.form(form, {
        ...bridge.how,
        defaultTimeoutSeconds: TIME_TO_ANSWER.form,
        signal,
        toolName: shownText(`mcp__${serverName}`, TITLE_CHARS),
        toolCallId: toolCallIdOf({ requestId }),
        onOpened: tellAsked(bridge),
      });
      tellResolved(bridge, outcome);
      if (outcome.outcome === 'denied') return { action: 'decline' };
      if (outcome.outcome !== 'answered') return { action: 'cancel' };
      const content = outcome.values as NonNullable<ElicitationResult['content']>;
      return { action: 'accept', content };
    } catch (cause) {
      if (signal?.aborted === true) tellResolved(bridge, takenBack(cause));
      else told(() => onDenied(serverName, cause));
      return { action: 'cancel' };
    }
  };
}
