/**
 * Sends the text of an unfinished answer to the subscribers; it is never stored (LOG-5).
 *
 * Pieces are collected for a moment: a model streams a few characters at a time, and each frame goes to every socket.
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

  /** The whole text so far, with the part that is not sent yet. */
  get whole(): string {
    return this.#whole;
  }

  /** The stored text follows; a later preview would show the same text twice. */
  end(): void {
    this.#isEnded = true;
  }

  #flush(): void {
    const text = this.#text;
    this.#text = '';
    if (!this.#isEnded && text !== '') this.#publish(deltaFrame({ ...this.#names, text }));
  }
}
