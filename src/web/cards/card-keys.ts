/** Keys in the fields of a card, and the keys of the inbox on its buttons. */

/** Enter ends the composition of a word; browsers report a composition in one of two ways. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** A button that a key of the inbox presses. Elsewhere the key does nothing, and a screen reader must not announce it. */
export function withKey(key: 'a' | 'd' | 'e', isInInbox: boolean) {
  return { 'data-key': key, ...(isInInbox && { 'aria-keyshortcuts': key }) };
}
