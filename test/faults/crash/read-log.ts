/** Reads the log of a session, page by page, up to the head at the first request. */
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { CrashContext } from './crash-context.ts';

const PAGE = 1_000;

interface Page {
  readonly events: readonly SessionEvent[];
  readonly head: number;
  readonly more: boolean;
}

export async function* readLog(
  context: CrashContext,
  session: { readonly id: string; readonly path: string },
  after: number,
): AsyncGenerator<SessionEvent> {
  let at = after;
  let upTo: number | undefined;
  for (;;) {
    const { status, text } = await context.read(`${session.path}/events?after=${at}&limit=${PAGE}`);
    if (status !== 200) {
      // A formerly valid cursor is now ahead of the log, or the session is missing.
      return context.findings.add(
        'I1',
        session.id,
        `the log after ${at} answers ${status}: ${text}`,
      );
    }
    const { events, head, more } = JSON.parse(text) as Page;
    upTo ??= head;
    for (const event of events) {
      if (at >= upTo) break;
      yield event;
      at = event.seq;
    }
    // Stop at the head: a page may end in the middle of a later commit.
    if (at >= upTo) return;
    if (events.length === 0 || !more) {
      return context.findings.add(
        'I4',
        session.id,
        `the log ends at ${at} and says its head is ${head}`,
      );
    }
  }
}
