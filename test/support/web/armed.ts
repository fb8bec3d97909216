/** Lets time pass until Approve works: first what it approves is seen, which takes a painted frame or two. */
import type { HandClock } from './hand-clock.ts';

const TRIES = 100;

export async function armed(element: HTMLElement, clock: HandClock): Promise<void> {
  const isFolded = () => element.querySelector('[data-unfold]') !== null;
  const isHeld = () => element.querySelector('.button.primary[aria-disabled]') !== null;
  // Effects run after the frame is drawn.
  await moment(50);
  clock.advance(600);
  for (let tries = 0; tries < TRIES && isHeld() && !isFolded(); tries += 1) {
    await moment(20);
    clock.advance(600);
  }
  await moment(20);
}

function moment(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
