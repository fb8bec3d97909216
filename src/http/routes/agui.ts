/** A session for clients of AG-UI: its log as their events, and the runs in which they answer. */
import * as z from '../../protocol/schema/zod.ts';
import type { Caller } from '../../protocol/caller.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Rejection } from '../../protocol/errors.ts';
import type { SessionEvent } from '../../protocol/schema/event.ts';
import { LogProjection } from '../agui/log-projection.ts';
import { RunAgentInput, startRun } from '../agui/start-run.ts';
import type { SessionStub, ClientSocket } from '../stubs.ts';
import { ANSWER_CODES, ANSWER_REFUSALS, LOG_TAG, readResponse, route } from '../route.ts';
import { subscribeToLog } from '../streaming/subscribe.ts';
import { createSseResponse } from '../streaming/sse-response.ts';
import type { AguiEvent } from '../agui/agui-event.ts';
import type { RunFollower } from '../agui/run-follower.ts';
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

type Frame =
  | { readonly type: 'events'; readonly events: SessionEvent[] }
  | { readonly type: 'error'; readonly error: { readonly code: string; readonly message: string } }
  | { readonly type: 'welcome' | 'delta' | 'paused' };

/**
 * The streams of AG-UI: frames of a session go in, events of AG-UI come out.
 *
 * Without a name (`event:`), because a browser gives named events to listeners of that name alone. The last event that
 * stands for an event of the log has its `seq` as the id: a reader that comes back with it goes on after that event.
 *
 * The log from where the projection stands.
 */
export function createProjectionStream(socket: ClientSocket, projection: LogProjection): Response {
  return createSseResponse(({ write, end }) => {
    socket.listen((text) => {
      const frame = JSON.parse(text) as Frame;
      if (frame.type === 'events') {
        const texts = frame.events.map((event) => eventsText(projection.event(event), event.seq));
        write(texts.join(''));
      } else if (frame.type === 'error' && frame.error.code !== 'session_deleted') {
        write(eventsText([errorEvent(frame.error)]));
      } else if (frame.type === 'paused') end();
    }, end);
    return () => socket.close(1000, 'done');
  });
}

interface FollowedRun {
  readonly socket: ClientSocket;
  readonly follower: RunFollower;
  /** What is sent before anything is received. */
  readonly first: readonly AguiEvent[];
  /** An idle run ends after so long without an event. */
  readonly idleMs: number;
}

/** One run, from its start to its end. */
export function createRunStream({ socket, follower, first, idleMs }: FollowedRun): Response {
  return createSseResponse(({ write, end }) => {
    let idle: ReturnType<typeof setTimeout> | undefined;
    const release = () => {
      if (idle !== undefined) clearTimeout(idle);
      socket.close(1000, 'done');
    };
    const send = (events: readonly AguiEvent[]) => {
      if (idle !== undefined) clearTimeout(idle);
      if (events.length > 0) write(eventsText(events));
      if (follower.isOver) end();
      else if (follower.isIdle) idle = setTimeout(() => send(follower.endIdle()), idleMs);
    };
    const breakOff = () => {
      if (!follower.isOver) send(follower.fail(STREAM_BROKEN, 'unavailable'));
    };
    send(first);
    socket.listen((text) => {
      const frame = JSON.parse(text) as Frame;
      if (follower.isOver) return;
      if (frame.type === 'events') send(follower.events(frame.events));
      else if (frame.type === 'error') {
        send(follower.fail(frame.error.message, frame.error.code));
      } else if (frame.type === 'paused') breakOff();
    }, breakOff);
    return release;
  });
}

const STREAM_BROKEN = 'The stream ended early; the log has what followed, and a new run goes on';

function errorEvent({ code, message }: { code: string; message: string }): AguiEvent {
  return { type: 'RUN_ERROR', message, code };
}

function eventsText(events: readonly AguiEvent[], seq?: number): string {
  const last = events.length - 1;
  return events
    .map((event, at) => {
      const id = seq !== undefined && at === last ? `id: ${seq}\n` : '';
      return `${id}data: ${JSON.stringify(event)}\n\n`;
    })
    .join('');
}
