/** Reads the results of a batch. Loaded with the first one: a page of the chat sends none. */
import { type Interaction, isObject } from '../../protocol/types.ts';
import { notHoldpointError } from '../errors.ts';
import type { BatchOpened } from '../transport.ts';
import { readPart } from './http-calls.ts';
import type { HttpReply } from './request.ts';

export function readBatch(reply: HttpReply, count: number): readonly BatchOpened[] {
  const results = readPart<unknown>(reply, 'results');
  // With a result too few, the outcome of one call would be taken for that of another.
  if (!Array.isArray(results) || results.length !== count) {
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
