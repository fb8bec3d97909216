/** The near end of a connection: keeps every sent frame, and throws when the connection is gone. */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { InteractionView } from '../../src/protocol/schema/interaction.ts';
import type { Attachment, Socket } from '../../src/session/ports.ts';

export interface Frame {
  readonly type: string;
  readonly events?: readonly SessionEvent[];
  readonly head?: number;
  readonly open?: readonly InteractionView[];
  readonly now?: number;
  readonly id?: string;
  readonly ok?: boolean;
  readonly value?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly details?: object };
  readonly interaction?: InteractionView;
}

export class FakeSocket implements Socket {
  attachment: Attachment;
  readonly texts: string[] = [];
  closed: { readonly code: number; readonly reason: string } | null = null;
  /** The other side has vanished; the object may not know it yet. */
  gone = false;
  readonly #trace: string[];

  constructor(attachment: Attachment, trace: string[] = []) {
    this.attachment = structuredClone(attachment);
    this.#trace = trace;
  }

  attach(attachment: Attachment): void {
    this.#mustBeThere();
    this.attachment = structuredClone(attachment);
  }

  send(text: string): void {
    this.#mustBeThere();
    this.#trace.push('send');
    this.texts.push(text);
  }

  close(code: number, reason: string): void {
    this.#mustBeThere();
    this.#trace.push(`close ${code}`);
    this.closed = { code, reason };
  }

  get frames(): Frame[] {
    return this.texts.map((text) => JSON.parse(text) as Frame);
  }

  /** The events of all frames, in the order in which they came. */
  get events(): SessionEvent[] {
    return this.frames.flatMap((frame) => frame.events ?? []);
  }

  get seqs(): number[] {
    return this.events.map((event) => event.seq);
  }

  get last(): Frame | undefined {
    return this.frames.at(-1);
  }

  #mustBeThere(): void {
    if (this.gone || this.closed !== null) throw new Error('The connection is closed');
  }
}
