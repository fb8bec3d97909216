/**
 * An answer in the making, sent to whoever listens and never stored (LOG-5).
 *
 * Pieces are put together for a moment: a model gives a few characters at a time, and each frame goes to every socket.
 */
import type { ModelDelta } from '../agent/model.ts';
import { deltaFrame } from './frames-out.ts';

const PREVIEW_MS = 30;

interface AnswerIds {
  readonly turnId: string;
  readonly responseId: string;
}

export class Previews {
  readonly #names: AnswerIds;
  readonly #later: (ms: number, work: () => void) => void;
  readonly #publish: (frame: string) => void;
  #text = '';
  #whole = '';
  #isEnded = false;

  constructor(
    names: AnswerIds,
    later: (ms: number, work: () => void) => void,
    publish: (frame: string) => void,
  ) {
    this.#names = names;
    this.#later = later;
    this.#publish = publish;
  }

  add(delta: ModelDelta): void {
    if (delta.type !== 'text' || delta.text === '') return;
    const isFirst = this.#text === '';
    this.#text += delta.text;
    this.#whole += delta.text;
    if (isFirst) this.#later(PREVIEW_MS, () => this.#flush());
  }

  /** All of it, with what has not been sent yet. */
  get whole(): string {
    return this.#whole;
  }

  /** What follows is the stored text; a preview that came after it would be shown twice. */
  end(): void {
    this.#isEnded = true;
  }

  #flush(): void {
    const text = this.#text;
    this.#text = '';
    if (!this.#isEnded && text !== '') this.#publish(deltaFrame({ ...this.#names, text }));
  }
}
