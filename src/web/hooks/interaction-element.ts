/** The element that shows an interaction: links, the keyboard and the scroll position find it by its id. */

export function interactionElementId(interactionId: string): string {
  return `interaction-${interactionId}`;
}

/** Some of it is on the screen: not above or below what its pane shows. */
export function isInView(element: Element | null): boolean {
  if (element === null) return false;
  const { top, bottom } = element.getBoundingClientRect();
  const pane = element.closest('.conversation')?.getBoundingClientRect();
  return (
    bottom > Math.max(0, pane?.top ?? 0) && top < Math.min(innerHeight, pane?.bottom ?? Infinity)
  );
}
