/** The requests that agents alone make. Loaded with the first one: a page of the chat sends none. */
import {
  type AppendedEvent,
  type Interaction,
  type InteractionRequest,
  isObject,
  type JsonObject,
} from '../../protocol/types.ts';
import { notHoldpointError } from '../errors.ts';
import type { BatchOpened, Opened, ToolResult, WriteOptions } from '../transport.ts';
import { type HttpCalls, readPart, sessionPath } from './http-calls.ts';

export async function open(
  calls: HttpCalls,
  sessionId: string,
  request: InteractionRequest,
  how?: WriteOptions,
): Promise<Opened> {
  const reply = await calls.post(sessionPath(sessionId, 'interactions'), request, how);
  const { decision } = reply.body;
  if (decision !== undefined) return { type: 'decided', decision: decision as JsonObject };
  return { type: 'interaction', interaction: readPart(reply, 'interaction') };
}

export async function openBatch(
  calls: HttpCalls,
  sessionId: string,
  requests: readonly InteractionRequest[],
  how?: WriteOptions,
): Promise<readonly BatchOpened[]> {
  const path = sessionPath(sessionId, 'interactions', 'batch');
  const results = readPart<unknown>(await calls.post(path, { requests }, how), 'results');
  // With a result too few, the outcome of one call would be taken for that of another.
  if (!Array.isArray(results) || results.length !== requests.length) {
    throw notHoldpointError('The reply does not have a result for each request.');
  }
  return results.map(readResult);
}

function readResult(result: unknown): BatchOpened {
  if (isObject(result) && result.ok === true) {
    const { decision, interaction } = result;
    if (isObject(decision)) return { ok: true, type: 'decided', decision };
    if (isObject(interaction)) {
      return { ok: true, type: 'interaction', interaction: interaction as unknown as Interaction };
    }
  }
  const error = isObject(result) && result.ok === false ? result.error : undefined;
  if (isObject(error) && typeof error.code === 'string') {
    return { ok: false, ...error } as unknown as BatchOpened;
  }
  throw notHoldpointError('A result is neither an opened request nor a refusal.');
}

export async function appendEvents(
  calls: HttpCalls,
  sessionId: string,
  events: readonly AppendedEvent[],
  how?: WriteOptions,
): Promise<number> {
  const path = sessionPath(sessionId, 'events');
  return readPart(await calls.post(path, { events }, how), 'head');
}

export async function postToolResult(
  calls: HttpCalls,
  sessionId: string,
  toolCallId: string,
  result: ToolResult,
  how?: WriteOptions,
): Promise<number> {
  const path = sessionPath(sessionId, 'tool-calls', toolCallId, 'result');
  return readPart(await calls.post(path, result, how), 'head');
}
