/** The key of the palette: ⌘K on a Mac, where Ctrl-K deletes to the end of the line, and Ctrl-K elsewhere. */
interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

export function isPaletteKey(event: PressedKey, isMac = isOnMac()): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (key.toLowerCase() !== 'k' || altKey || shiftKey) return false;
  return isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
}

/** As they are printed on a keyboard. */
export function paletteKeys(isMac = isOnMac()): readonly string[] {
  return isMac ? ['⌘', 'K'] : ['Ctrl', 'K'];
}

/** For `aria-keyshortcuts`. */
export function paletteShortcut(isMac = isOnMac()): string {
  return isMac ? 'Meta+K' : 'Control+K';
}

function isOnMac(): boolean {
  return /^(?:Mac|iP)/.test(navigator.platform);
}
