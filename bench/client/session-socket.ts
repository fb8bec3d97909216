/** A subscriber of one session: receives its events, sends frames and receives their results. */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { BenchServer } from '../lib/bench-server.ts';
import { TextSocket } from './text-socket.ts';

interface Frame {
  readonly type: string;
  readonly id?: string;
  readonly ok?: boolean;
  readonly events?: readonly SessionEvent[];
}

type Resolve<Value> = (value: Value) => void;

export class SessionSocket {
  #socket!: TextSocket;
  readonly #heard = new Map<string, Resolve<SessionEvent>>();
  readonly #results = new Map<string, Resolve<Frame>>();
  #welcome: (() => void) | undefined;
  #end: ((reason: Error) => void) | undefined;

  private constructor() {}

  /** Resolves when the session's `welcome` frame arrives. */
  static async open(server: BenchServer, session: string, token: string): Promise<SessionSocket> {
    const self = new SessionSocket();
    const welcome = new Promise<void>((resolve, reject) => {
      self.#welcome = resolve;
      self.#end = reject;
    });
    self.#socket = await TextSocket.open({
      port: server.port,
      path: `/v1/sessions/${session}/socket?after=0`,
      protocols: socketProtocols(token),
      onText: (text) => self.#take(JSON.parse(text) as Frame),
      onEnd: (reason) => self.#end?.(reason),
    });
    await welcome;
    return self;
  }

  /** Waits for the next event of this type, about this tool call or about none; the event must not have arrived yet. */
  heard(type: SessionEvent['type'], toolCallId = ''): Promise<SessionEvent> {
    return new Promise((resolve) => this.#heard.set(`${type} ${toolCallId}`, resolve));
  }

  /** Sends a frame and waits for its result. */
  async ask(frame: { readonly id: string } & Record<string, unknown>): Promise<void> {
    const result = await new Promise<Frame>((resolve) => {
      this.#results.set(frame.id, resolve);
      this.#socket.send(JSON.stringify(frame));
    });
    if (result.ok !== true) throw new Error(`A frame was refused: ${JSON.stringify(result)}`);
  }

  close(): void {
    this.#socket.close();
  }

  #take(frame: Frame): void {
    if (frame.type === 'events') {
      for (const event of frame.events ?? []) {
        this.#settle(this.#heard, `${event.type} ${event.toolCallId ?? ''}`, event);
      }
    } else if (frame.type === 'result') this.#settle(this.#results, frame.id ?? '', frame);
    else if (frame.type === 'welcome') this.#welcome?.();
    else if (frame.type !== 'delta')
      throw new Error(`A frame was not expected: ${JSON.stringify(frame)}`);
  }

  #settle<Value>(waiting: Map<string, Resolve<Value>>, key: string, value: Value): void {
    const resolve = waiting.get(key);
    waiting.delete(key);
    resolve?.(value);
  }
}

export function socketProtocols(token: string): string[] {
  return ['holdpoint.v1', `holdpoint.token.${token}`];
}
