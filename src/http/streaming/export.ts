/** The whole log as lines. It is read page by page: a log need not fit in memory. */
import type { Rejection } from '../../protocol/errors.ts';
import type { SessionEvent } from '../../protocol/schema/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { FoundSession, SessionStub } from '../ports.ts';

interface PageOfEvents {
  readonly events: readonly SessionEvent[];
  readonly more: boolean;
}

export async function exportLog(
  session: SessionStub,
  findSession: () => Promise<FoundSession | Rejection>,
): Promise<Response | Rejection> {
  const first = await session.events(0, LIMITS.pageMax);
  if (!first.ok) return first;
  const encoder = new TextEncoder();
  let page: PageOfEvents | undefined = JSON.parse(first.value) as PageOfEvents;
  const lines = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (page === undefined) return controller.close();
      const { events, more } = page;
      const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
      if (text !== '') controller.enqueue(encoder.encode(text));
      page = undefined;
      const last = events.at(-1);
      if (!more || last === undefined) return controller.close();
      // The reader decides how long this takes: the stub of the first page may be broken by now.
      const found = await findSession();
      const next = found.ok ? await found.session.events(last.seq, LIMITS.pageMax) : found;
      if (!next.ok) throw new Error(next.message);
      page = JSON.parse(next.value) as PageOfEvents;
    },
  });
  return new Response(lines, {
    headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' },
  });
}
