/**
 * `onElicitation` of the Claude Agent SDK: a question of an MCP server, as a form, or a link that a person opens.
 *
 * `decline` is the decision of a person. Every failure to ask is `cancel`, which a server must read as neither consent nor
 * refusal. To accept a link (`mode: 'url'`) means that a person opened it; Claude Code and its server follow the rest.
 */
import type { FormOutcome, LinkOutcome } from '../../client/agent/outcomes.ts';
import type { AskOptions } from '../../client/agent/requests.ts';
import {
  type Bridge,
  cancelledQuestion,
  reportAsked,
  reportResolved,
  runListener,
  type BridgeOptions,
  bridgeOf,
  howToAsk,
} from './bridge.ts';
import { LIMITS } from '../../protocol/limits.ts';
import {
  type ElicitationRequest,
  type ElicitationResult,
  type OnElicitation,
  shownLines,
  shownText,
  toolCallIdOf,
} from './claude-sdk.ts';

export function createOnElicitation(options: BridgeOptions): OnElicitation {
  const bridge = bridgeOf(options);
  const { onDenied = (tool, cause) => console.warn(`holdpoint: ${tool} was not asked:`, cause) } =
    bridge;
  return async (request, { signal, requestId } = {}) => {
    const { serverName } = request;
    try {
      const outcome = await askAbout(bridge, request, {
        ...howToAsk(bridge, 'form'),
        signal,
        toolName: shownText(`mcp__${serverName}`, LIMITS.toolNameChars),
        toolCallId: toolCallIdOf({ requestId }),
        onOpened: reportAsked(bridge),
      });
      if (outcome === undefined) return { action: 'cancel' };
      reportResolved(bridge, outcome);
      if (outcome.outcome === 'denied') return { action: 'decline' };
      if (outcome.outcome !== 'answered') return { action: 'cancel' };
      return 'values' in outcome
        ? { action: 'accept', content: contentOf(outcome.values) }
        : { action: 'accept' };
    } catch (cause) {
      if (signal?.aborted === true) reportResolved(bridge, cancelledQuestion(cause));
      else runListener(() => onDenied(serverName, cause));
      return { action: 'cancel' };
    }
  };
}

/** Undefined for a request that has neither fields nor an address. */
async function askAbout(
  { client }: Bridge,
  request: ElicitationRequest,
  how: AskOptions,
): Promise<FormOutcome | LinkOutcome | undefined> {
  const { serverName, mode, message, requestedSchema: schema, url } = request;
  const title = shownText(
    request.title ?? request.displayName ?? serverName,
    LIMITS.formTitleChars,
  );
  const named = title === '' ? {} : { title };
  const description = shownLines([message, request.description]);
  if (mode === 'url') {
    if (url === undefined) return undefined;
    const { elicitationId } = request;
    const id = elicitationId === undefined ? {} : { elicitationId };
    return client.link({ url, message: description ?? serverName, ...named, ...id }, how);
  }
  if (schema === undefined) return undefined;
  return client.form({ schema, ...named, ...(description && { description }) }, how);
}

/** MCP has no null: a field without an answer is left out. */
function contentOf(values: Readonly<Record<string, unknown>>) {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(given) as NonNullable<ElicitationResult['content']>;
}
