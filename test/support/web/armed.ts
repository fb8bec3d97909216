/** Advances the clock until Approve works; seeing the input takes a painted frame or two. */
import type { HandClock } from './hand-clock.ts';

const TRIES = 100;
/** Enough checks for visible content; anything else stays unseen. */
const LOOKS = 25;

export async function armed(element: HTMLElement, clock: HandClock): Promise<void> {
  const isThere = (selector: string) => element.querySelector(selector) !== null;
  const isHeld = (tries: number) =>
    isThere('.button[aria-disabled]:not(.missing)') ||
    (tries < LOOKS && isThere('.button.missing') && !isThere('[data-unfold]'));
  // Effects run after the frame is drawn.
  await moment(50);
  clock.advance(600);
  for (let tries = 0; tries < TRIES && isHeld(tries); tries += 1) {
    await moment(20);
    clock.advance(600);
  }
  await moment(20);
}

function moment(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
