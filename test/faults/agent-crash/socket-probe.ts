/** Receives the log of a trial live, so that a kill can follow an event at once. */
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import { PROTOCOL, TOKEN_SUBPROTOCOL } from '../../../src/protocol/frames.ts';
import type { TrialWorker } from './trial-worker.ts';
import type { Trial } from './trial.ts';

export interface SocketProbe {
  /** Resolves when the first piece of an answer arrives. */
  readonly firstDelta: Promise<void>;
  /** Resolves when the first question to a person arrives. */
  readonly firstRequest: Promise<void>;
  close(): void;
}

export async function openSocketProbe(worker: TrialWorker, trial: Trial): Promise<SocketProbe> {
  const url = `${worker.url.replace(/^http/, 'ws')}/v1/sessions/${trial.session}/socket`;
  const socket = new WebSocket(url, [PROTOCOL, `${TOKEN_SUBPROTOCOL}${worker.tokens.person}`]);
  const talking = Promise.withResolvers<void>();
  const asking = Promise.withResolvers<void>();
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('The log cannot be received')));
    socket.addEventListener('message', ({ data }) => {
      const frame = JSON.parse(String(data)) as { type: string; events?: SessionEvent[] };
      if (frame.type === 'welcome') resolve();
      if (frame.type === 'delta') talking.resolve();
      for (const event of frame.events ?? []) {
        if (event.type === 'interaction_request') asking.resolve();
        pass(trial, event);
      }
    });
  });
  return { firstDelta: talking.promise, firstRequest: asking.promise, close: () => socket.close() };
}

function pass(trial: Trial, event: SessionEvent): void {
  switch (event.type) {
    case 'tool_call':
      trial.pass('log:tool_call');
      if (event.payload.runBy === 'client') trial.pass('log:client_call');
      break;
    case 'tool_result':
    case 'interaction_request':
    case 'session_status':
    case 'conversation_compacted':
      trial.pass(`log:${event.type}`);
  }
}
