/** The allowed responses to bytes that are hardly a request: none, or a refusal of any sort. */
import type { Exchanged } from './exchange.ts';

export function rawProblem(result: Exchanged): string | undefined {
  if (result.type === 'hung') return `hung: ${result.received}`;
  if (result.type === 'closed') return undefined;
  const { status, headers, text } = result.reply;
  // The runtime refuses unreadable bytes with its own 500 or 501, before the server receives them.
  // A failure of the server with the same status would be in the log, which is checked as well.
  const isRuntimes = !headers.has('x-content-type-options') && text === 'Internal Server Error';
  if (status < 500 || status === 501 || isRuntimes) return undefined;
  return `failed: ${status} ${text.slice(0, 300)}`;
}
