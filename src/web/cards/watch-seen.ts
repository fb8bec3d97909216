/**
 * Tracks whether an element has been in the window: each of its four sides, and the far side of every box in it that
 * scrolls sideways.
 *
 * A side that is cut off where nothing scrolls never counts as seen, so a layout bug keeps Approve blocked instead of
 * allowing approval of unread content.
 */

/** About one line: a smaller part of a side could be padding. */
const EDGE_PX = 20;
/** Sizes are rounded, and more coarsely on a zoomed page. */
const SLACK_PX = 2;
/** Less than a page, so that the last line read stays in sight. */
const PAGE_FRACTION = 0.85;

interface Rect {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface SeenSides {
  top: boolean;
  left: boolean;
  right: boolean;
  bottom: boolean;
  /** Boxes that were scrolled to the far side. */
  crossed: WeakSet<Element>;
  /** Pieces of a long text that were in the window, drawn. */
  pieces: WeakSet<Element>;
  /** How the content was drawn; half of one view and half of another are not all of it. */
  mode: string | undefined;
}

export const nothingSeen = (): SeenSides => ({
  top: false,
  left: false,
  right: false,
  bottom: false,
  crossed: new WeakSet(),
  pieces: new WeakSet(),
  mode: undefined,
});

/** Adds the sides that are on the screen to `sides`; true once nothing is left to see. */
export function noteSeen(element: HTMLElement, sides: SeenSides): boolean {
  if (document.visibilityState === 'hidden') return false;
  const { mode } = element.dataset;
  if (sides.mode !== mode) Object.assign(sides, nothingSeen(), { mode });
  const view = visibleArea(element);
  const box = element.getBoundingClientRect();
  const [high, wide] = [Math.min(EDGE_PX, box.height), Math.min(EDGE_PX, box.width)];
  const isIn = (from: number, to: number, start: number, end: number) =>
    from >= start - SLACK_PX && to <= end + SLACK_PX;
  sides.top ||= isIn(box.top, box.top + high, view.top, view.bottom);
  sides.bottom ||= isIn(box.bottom - high, box.bottom, view.top, view.bottom);
  sides.left ||= isIn(box.left, box.left + wide, view.left, view.right);
  sides.right ||= isIn(box.right - wide, box.right, view.left, view.right);
  const unread = unreadPieces(element, sides, view);
  if (isFolded(element)) forgetEnd(sides);
  const areSidesSeen = sides.top && sides.bottom && sides.left && sides.right;
  return areSidesSeen && unread.length === 0 && uncrossed(element, sides).length === 0;
}

/** Part of the content waits to be unfolded. */
function isFolded(element: Element): boolean {
  return element.querySelector('[data-folded]') !== null;
}

/** The pieces of a long text that were not in the window, or not drawn while they were: a jump to the end reads none. */
function unreadPieces(element: Element, { pieces }: SeenSides, view: Rect): readonly Element[] {
  return [...element.querySelectorAll<HTMLElement>('[data-piece]')].filter((piece) => {
    if (pieces.has(piece)) return false;
    const { top, bottom } = piece.getBoundingClientRect();
    const isIn = top < view.bottom && bottom > view.top && bottom > top;
    if (isIn && piece.dataset['piece'] === 'drawn') pieces.add(piece);
    return !pieces.has(piece);
  });
}

/** The end of a folded text does not count. */
export function forgetEnd(sides: SeenSides): void {
  sides.bottom = false;
  sides.crossed = new WeakSet();
}

/**
 * Scrolls to the next unseen part: the beginning, a box that continues sideways, the next page or the end. Nothing leads to
 * what a box clips, so an input with such a box is shown as JSON, whose lines wrap.
 */
export function showUnseen(element: HTMLElement, sides: SeenSides): void {
  const view = visibleArea(element);
  const unfold = element.querySelector<HTMLElement>('[data-unfold]');
  const beside = uncrossed(element, sides);
  const raw = element.querySelector<HTMLElement>('[data-raw][aria-pressed="false"]');
  if (raw !== null && beside.some((box) => !canScroll(box))) {
    raw.click();
    raw.focus({ preventScroll: true });
    return element.scrollIntoView({ block: 'start' });
  }
  if (!sides.top) return element.scrollIntoView({ block: 'start' });
  if (unfold !== null && isFolded(element)) return unfold.focus();
  const [box] = beside;
  const [piece] = unreadPieces(element, sides, view);
  if (box instanceof HTMLElement) {
    box.scrollIntoView({ block: 'nearest' });
    box.focus({ preventScroll: true });
    const towards = getComputedStyle(box).direction === 'rtl' ? -PAGE_FRACTION : PAGE_FRACTION;
    box.scrollBy({ left: box.clientWidth * towards });
  } else if (piece !== undefined) {
    piece.scrollIntoView({ block: 'start' });
  } else if (element.getBoundingClientRect().bottom < view.top) {
    element.scrollIntoView({ block: 'end' });
  } else {
    scrollerAbove(element).scrollBy({ top: (view.bottom - view.top) * PAGE_FRACTION });
  }
}

/**
 * Boxes of wrapped lines, which clip: a line that is too wide makes its box too wide. Reading the size of each line of
 * thousands would take longer than a frame.
 */
const WRAPPED = '.diff';

function uncrossed(element: HTMLElement, { crossed }: SeenSides): readonly Element[] {
  return [element, ...element.querySelectorAll(`:not(${WRAPPED} *)`)].filter((one) => {
    if (one.scrollWidth <= one.clientWidth + SLACK_PX || crossed.has(one)) return false;
    if (getComputedStyle(one).overflowX === 'visible' || one.matches('.unseen')) return false;
    const isAcross =
      canScroll(one) && Math.abs(one.scrollLeft) + one.clientWidth >= one.scrollWidth - SLACK_PX;
    if (isAcross) crossed.add(one);
    return !isAcross;
  });
}

function canScroll(box: Element): boolean {
  return /auto|scroll/.test(getComputedStyle(box).overflowX);
}

/** The part of the window in which the element is visible: not behind the head or the actions of its card, not clipped by a pane. */
function visibleArea(element: HTMLElement): Rect {
  const { offsetTop, offsetLeft, height, width } = visualViewport ?? wholeWindow();
  let view: Rect = {
    top: offsetTop,
    left: offsetLeft,
    bottom: offsetTop + height,
    right: offsetLeft + width,
  };
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    // The window is not clipped by the page itself.
    if (at === document.body || at === document.documentElement) break;
    if (getComputedStyle(at).overflowX === 'visible') continue;
    view = intersect(view, at.getBoundingClientRect());
  }
  const card = element.closest('.card');
  const head = card?.querySelector('.card-head')?.getBoundingClientRect();
  const foot = card?.querySelector('.card-actions.stays')?.getBoundingClientRect();
  return {
    ...view,
    top: Math.max(view.top, head?.bottom ?? view.top),
    bottom: Math.min(view.bottom, foot?.top ?? view.bottom),
  };
}

const wholeWindow = () => ({
  offsetTop: 0,
  offsetLeft: 0,
  height: innerHeight,
  width: innerWidth,
});

function intersect(one: Rect, other: Rect): Rect {
  return {
    top: Math.max(one.top, other.top),
    left: Math.max(one.left, other.left),
    bottom: Math.min(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
  };
}

function scrollerAbove(element: Element): Element {
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at);
    if (at.scrollHeight > at.clientHeight && (overflowY === 'auto' || overflowY === 'scroll'))
      return at;
  }
  return document.scrollingElement ?? document.documentElement;
}
