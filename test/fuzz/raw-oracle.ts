/** What may come back for bytes that are hardly a request: nothing, or a refusal of any sort. */
import type { Exchanged } from './exchange.ts';

export function rawProblem(result: Exchanged): string | undefined {
  if (result.type === 'hung') return `hung: ${result.received}`;
  if (result.type === 'closed') return undefined;
  const { status, headers, text } = result.reply;
  // The runtime refuses what it cannot read with a 500 or 501 of its own, before this program sees it.
  // A failure of this program that looked the same would be in the log, which is checked as well.
  const isRuntimes = !headers.has('x-content-type-options') && text === 'Internal Server Error';
  if (status < 500 || status === 501 || isRuntimes) return undefined;
  return `failed: ${status} ${text.slice(0, 300)}`;
}
