/**
 * `onElicitation` of the Claude Agent SDK: a question of an MCP server, as a form.
 *
 * `decline` is the decision of a person. Every failure to ask is `cancel`, which a server must read as neither consent nor
 * refusal. Sign-in links (`mode: 'url'`) are cancelled: a form cannot open them.
 */
import {
  cancelledQuestion,
  reportAsked,
  reportResolved,
  runListener,
  type BridgeOptions,
  bridgeOf,
  DEFAULT_TIMEOUT_SECONDS,
} from './bridge.ts';
import { LIMITS } from '../../protocol/limits.ts';
import {
  type ElicitationResult,
  type OnElicitation,
  shownLines,
  shownText,
  toolCallIdOf,
} from './claude-sdk.ts';

export function createOnElicitation(options: BridgeOptions): OnElicitation {
  const bridge = bridgeOf(options);
  const { client } = bridge;
  const { onDenied = (tool, cause) => console.warn(`holdpoint: ${tool} was not asked:`, cause) } =
    bridge;
  return async (request, { signal, requestId } = {}) => {
    const { serverName, mode, message, requestedSchema: schema } = request;
    if (mode === 'url' || schema === undefined) return { action: 'cancel' };
    const title = shownText(
      request.title ?? request.displayName ?? serverName,
      LIMITS.formTitleChars,
    );
    const description = shownLines([message, request.description]);
    const form = { schema, ...(title !== '' && { title }), ...(description && { description }) };
    try {
      const outcome = await client.form(form, {
        ...bridge.how,
        defaultTimeoutSeconds: DEFAULT_TIMEOUT_SECONDS.form,
        signal,
        toolName: shownText(`mcp__${serverName}`, LIMITS.toolNameChars),
        toolCallId: toolCallIdOf({ requestId }),
        onOpened: reportAsked(bridge),
      });
      reportResolved(bridge, outcome);
      if (outcome.outcome === 'denied') return { action: 'decline' };
      if (outcome.outcome !== 'answered') return { action: 'cancel' };
      // MCP has no null: a field without an answer is left out.
      const given = Object.entries(outcome.values).filter(([, value]) => value !== null);
      const content = Object.fromEntries(given) as NonNullable<ElicitationResult['content']>;
      return { action: 'accept', content };
    } catch (cause) {
      if (signal?.aborted === true) reportResolved(bridge, cancelledQuestion(cause));
      else runListener(() => onDenied(serverName, cause));
      return { action: 'cancel' };
    }
  };
}
