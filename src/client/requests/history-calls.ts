/** The requests of a transport about conversations of command-line agents. */
import type { Transport } from '../transport.ts';
import type {
  CliSession,
  HistoryExtent,
  HistoryImport,
  HistoryPage,
  PageOptions,
  SessionEntry,
  SessionView,
} from '../../protocol/types.ts';
import { type HttpCalls, readPart, sessionPath } from './http-calls.ts';

export type Map = Transport['mapCliSession'];
export type Find = Transport['findCliSession'];
export type Import = Transport['importHistory'];
export type Read = Transport['history'];

export async function mapCliSession(
  calls: HttpCalls,
  sessionId: string,
  cli: CliSession,
): Promise<SessionView> {
  return readPart(await calls.change('PUT', sessionPath(sessionId, 'cli'), cli), 'session');
}

export async function findSessionByCli(
  calls: HttpCalls,
  provider: string,
  cliSessionId: string,
): Promise<SessionEntry> {
  const path = `/v1/cli-sessions/${[provider, cliSessionId].map(encodeURIComponent).join('/')}`;
  return readPart(await calls.get(path), 'session');
}

export async function importHistory(
  calls: HttpCalls,
  sessionId: string,
  page: HistoryImport,
  { lines, signal }: NonNullable<Parameters<Import>[2]> = {},
): Promise<HistoryExtent> {
  const path = sessionPath(sessionId, 'history');
  const reply =
    lines === undefined
      ? await calls.post(path, page, { signal })
      : await calls.postText(path, writePage(page, lines), { signal });
  readPart(reply, 'digest');
  return reply.body as unknown as HistoryExtent;
}

function writePage(page: HistoryImport, lines: readonly string[]): string {
  const head = JSON.stringify({ ...page, entries: undefined });
  return `${head.slice(0, -1)},"entries":[${lines.join(',')}]}`;
}

export async function readHistory(
  calls: HttpCalls,
  sessionId: string,
  { limit, cursor }: PageOptions = {},
): Promise<HistoryPage> {
  const reply = await calls.get(sessionPath(sessionId, 'history'), { limit, after: cursor });
  readPart(reply, 'entries');
  return reply.body as unknown as HistoryPage;
}
