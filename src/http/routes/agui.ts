/** A session for clients of AG-UI: its log as their events, and the runs in which they answer. */
import * as z from '../../protocol/schema/zod.ts';
import type { Caller } from '../../protocol/caller.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Rejection } from '../../protocol/errors.ts';
import type { SessionEvent } from '../../protocol/schema/event.ts';
import { LogProjection } from '../agui/log-projection.ts';
import { RunAgentInput, startRun } from '../agui/start-run.ts';
import { createProjectionStream } from '../agui/agui-streams.ts';
import type { SessionStub } from '../stubs.ts';
import { ANSWER_CODES, ANSWER_REFUSALS, LOG_TAG, readResponse, route } from '../route.ts';
import { subscribeToLog } from '../streaming/subscribe.ts';
import { CURSOR_AHEAD, readingOf, READS_LOG, InSession } from './params.ts';

const AguiEventBody = z
  .looseObject({ type: z.string() })
  .meta({ id: 'AguiEvent', description: 'An event of AG-UI 1.0, by its `type`.' });

const AguiPage = z
  .strictObject({
    events: z.array(AguiEventBody),
    next: z.number().describe('The `after` of the next page.'),
    head: z.number(),
    more: z.boolean(),
  })
  .meta({ id: 'AguiPage' });

interface LogPage {
  readonly events: readonly SessionEvent[];
  readonly head: number;
  readonly more: boolean;
}

export const aguiRoutes = [
  route({
    ...READS_LOG,
    path: '/v1/sessions/:id/agui',
    operationId: 'listSessionAguiEvents',
    summary: 'Read the log as events of AG-UI, or follow it with `Accept: text/event-stream`',
    description:
      'The whole log is a chain of runs: each ends with the interactions that are open as its interrupts, and an outcome begins the next one. `after` and `limit` count events of the log.',
    responses: {
      200: { description: 'What the events after the cursor are shown as', schema: AguiPage },
      400: CURSOR_AHEAD,
    },
    media: {
      'text/event-stream':
        'One event of AG-UI in each `data`, without a name; the last one of an event of the log has its `seq` as the `id`.',
    },
    async handle(call) {
      const { session, params, identity } = call;
      const { caller } = identity;
      const reading = readingOf(call);
      if (!reading.ok) return reading;
      const { isStream, after, limit } = reading;
      const projection = new LogProjection(params.id);
      const ahead = await readUpTo(session, caller, after, projection);
      if (ahead !== undefined) return ahead;
      if (isStream) {
        const joined = await subscribeToLog(call, after, true);
        return joined.ok ? createProjectionStream(joined.socket, projection) : joined;
      }
      const page = await session.events(after, limit, caller);
      return readResponse(page, (text) => {
        const { events, head, more } = JSON.parse(text) as LogPage;
        const next = events.at(-1)?.seq ?? after;
        return { events: events.flatMap((event) => projection.event(event)), next, head, more };
      });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/sessions/:id/agui',
    operationId: 'runSessionAgui',
    tag: LOG_TAG,
    summary:
      'Run the session as an AG-UI client does: answer its interrupts, and stream what follows',
    description:
      'The endpoint for the HTTP client of AG-UI. `resume` answers interactions (scope `answer`), and a new message of the user at the end of `messages` is sent to the session (scope `send`) once nothing is open. The run ends with what is open as its interrupts, or with the turn; where no turn runs, ' +
      `after ${LIMITS.aguiIdleSeconds} seconds in which nothing happens. The same answer and the same message count once.`,
    access: { in: 'session', anyOf: ['read'] },
    params: InSession,
    body: RunAgentInput,
    bodyLimits: { maxBytes: LIMITS.aguiBodyBytes, maxValues: LIMITS.aguiJsonValues },
    responses: {
      200: { description: 'The run, as server-sent events' },
      ...ANSWER_REFUSALS,
    },
    media: {
      'text/event-stream': 'One event of AG-UI in each `data`, from `RUN_STARTED` to the end.',
    },
    errorCodes: [...ANSWER_CODES, 'model_not_configured'],
    handle: startRun,
  }),
];

/** Folds the log up to a cursor, page by page: what comes after it depends on what is open there. */
async function readUpTo(
  session: SessionStub,
  caller: Caller,
  after: number,
  projection: LogProjection,
): Promise<Rejection | undefined> {
  if (after === 0) return undefined;
  // A cursor beyond the head is refused before anything is folded.
  const head = await session.events(after, 1, caller);
  if (!head.ok) return head;
  for (let at = 0; at < after; ) {
    const page = await session.events(at, Math.min(LIMITS.pageMax, after - at), caller);
    if (!page.ok) return page;
    const { events } = JSON.parse(page.value) as LogPage;
    for (const event of events) projection.event(event);
    at = events.at(-1)?.seq ?? after;
  }
  return undefined;
}
