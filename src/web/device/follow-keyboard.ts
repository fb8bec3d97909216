/**
 * Keeps the page above the keyboard of a phone. Most browsers make the page smaller for it, as `page.html` asks; Safari
 * lays the keyboard over the page, and the actions of a card and the composer would be behind it.
 */
interface ShownPart extends EventTarget {
  readonly height: number;
  readonly offsetTop: number;
  readonly scale: number;
}

/** The bars of a browser come and go with less. */
const KEYBOARD_PX = 120;

/** The result stops it. */
export function followKeyboard(
  shown: ShownPart | null = visualViewport,
  page: Pick<Window, 'innerHeight' | 'scrollTo'> = window,
): () => void {
  if (shown === null) return () => undefined;
  const { style } = document.documentElement;
  const follow = () => {
    const covered = page.innerHeight - shown.height;
    // A page that a person made larger is moved by that person.
    if (covered < KEYBOARD_PX || Math.abs(shown.scale - 1) > 0.01) {
      style.removeProperty('--shown-height');
      style.removeProperty('--keyboard');
      return;
    }
    style.setProperty('--shown-height', `${shown.height}px`);
    style.setProperty('--keyboard', `${covered}px`);
    // Safari moved the page up to show the field, which is above the keyboard now.
    if (shown.offsetTop > 0) page.scrollTo(0, 0);
  };
  const events = ['resize', 'scroll'];
  for (const event of events) shown.addEventListener(event, follow);
  follow();
  return () => {
    for (const event of events) shown.removeEventListener(event, follow);
  };
}
