/** The element of an interaction: links, focus and scrolling find it by its id. */

export function interactionElementId(interactionId: string): string {
  return `interaction-${interactionId}`;
}

/** Part of the element is visible in its pane. */
export function isInView(element: Element | null): boolean {
  if (element === null) return false;
  const { top, bottom } = element.getBoundingClientRect();
  const pane = element.closest('.conversation')?.getBoundingClientRect();
  return (
    bottom > Math.max(0, pane?.top ?? 0) && top < Math.min(innerHeight, pane?.bottom ?? Infinity)
  );
}
