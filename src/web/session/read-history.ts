/** Reads the imported history of a session, page by page. */
import { ClientError } from '../../client/errors.ts';
import type { Transport } from '../../client/transport.ts';
import { PAGE_MAX } from '../../protocol/limits.ts';
import type { CliSessionView, HistoryEntry, HistoryPage } from '../../protocol/types.ts';

/** The pages as they were read; the last one is read again when the transcript grows. */
export interface ReadHistory {
  readonly sources: readonly CliSessionView[];
  readonly entries: readonly HistoryEntry[];
  readonly lastPage: { readonly cursor: string | undefined; readonly from: number };
}

type Source = Pick<Transport, 'history'>;

/** Each change in between means that another import has replaced the history. */
const READING_TRIES = 5;

/** Reads what follows `before` if only its last CLI session grew, and everything otherwise. */
export async function readWholeHistory(
  transport: Source,
  sessionId: string,
  sources: readonly CliSessionView[],
  before?: ReadHistory,
): Promise<ReadHistory> {
  let begun = before !== undefined && isContinued(before.sources, sources) ? before : undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      return await readPages(transport, sessionId, sources, begun);
    } catch (cause) {
      const isReplaced = cause instanceof ClientError && cause.code === 'history_changed';
      if (!isReplaced || tries === READING_TRIES) throw cause;
      begun = undefined;
    }
  }
}

async function readPages(
  transport: Source,
  sessionId: string,
  sources: readonly CliSessionView[],
  begun: ReadHistory | undefined,
): Promise<ReadHistory> {
  const entries = begun?.entries.slice(0, begun.lastPage.from) ?? [];
  let lastPage = begun?.lastPage ?? { cursor: undefined, from: 0 };
  for (;;) {
    const { cursor } = lastPage;
    const page: HistoryPage = await transport.history(sessionId, {
      limit: PAGE_MAX,
      ...(cursor !== undefined && { cursor }),
    });
    for (const entry of page.entries) entries.push(entry);
    if (page.next === undefined) return { sources, entries, lastPage };
    lastPage = { cursor: page.next, from: entries.length };
  }
}

/** Whether no CLI session before the last one changed. */
function isContinued(before: readonly CliSessionView[], now: readonly CliSessionView[]): boolean {
  return before.every(({ cliSessionId, rev, entries }, at) => {
    const same = now[at];
    if (same?.cliSessionId !== cliSessionId || same.rev !== rev) return false;
    return at === before.length - 1 || same.entries === entries;
  });
}
