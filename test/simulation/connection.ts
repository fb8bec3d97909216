/**
 * One socket, from end to end. It outlives the memory of its object, but not a crash of it.
 *
 * A disconnected client receives nothing more; the object may notice at once, later, or from an error when it sends.
 */
import type { Attachment, Socket } from '../../src/session/ports.ts';
import type { OutputGate } from './output-gate.ts';

export interface ClientEnd {
  readonly name: string;
  receive(text: string): void;
  closed(code: number): void;
}

export class Connection implements Socket {
  attachment: Attachment;
  readonly client: ClientEnd;
  /** The object has closed it. */
  isClosed = false;
  /** The client is disconnected; sending fails once the object can know. */
  cut: 'unnoticed' | 'noticed' | null = null;
  readonly #gate: OutputGate;

  constructor(attachment: Attachment, gate: OutputGate, client: ClientEnd) {
    this.attachment = structuredClone(attachment);
    this.#gate = gate;
    this.client = client;
  }

  attach(attachment: Attachment): void {
    this.#mustBeThere();
    this.attachment = structuredClone(attachment);
  }

  send(text: string): void {
    this.#mustBeThere();
    this.#gate.out(() => {
      if (this.cut === null) this.client.receive(text);
    });
  }

  close(code: number): void {
    this.#mustBeThere();
    this.isClosed = true;
    this.#gate.out(() => this.over(code));
  }

  /** Notifies the client of the end, unless the client has disconnected. */
  over(code: number): void {
    if (this.cut !== null) return;
    this.cut = 'noticed';
    this.client.closed(code);
  }

  #mustBeThere(): void {
    if (this.isClosed || this.cut === 'noticed') throw new Error('The connection is closed');
  }
}
