/**
 * The streams of AG-UI: frames of a session go in, events of AG-UI come out.
 *
 * Without a name (`event:`), because a browser gives named events to listeners of that name alone. The last event that
 * stands for an event of the log has its `seq` as the id: a reader that comes back with it goes on after that event.
 */
import type { SessionEvent } from '../../protocol/types.ts';
import { createSseResponse } from '../streaming/sse-response.ts';
import type { ClientSocket } from '../stubs.ts';
import type { AguiEvent } from './agui-event.ts';
import type { LogProjection } from './log-projection.ts';
import type { RunFollower } from './run-follower.ts';

type Frame =
  | { readonly type: 'events'; readonly events: SessionEvent[] }
  | { readonly type: 'error'; readonly error: { readonly code: string; readonly message: string } }
  | { readonly type: 'welcome' | 'delta' | 'paused' };

/** The log from where the projection stands, as a stream that does not end. A reader that comes back goes on behind its last id. */
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
