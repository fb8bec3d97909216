/** Copies a text, and returns whether it could. `beside` is where a page without a clipboard selects the text. */
export async function copyText(text: string, beside: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page that was not loaded over HTTPS has no clipboard.
    return copyBySelection(text, beside);
  }
}

/** The field stands in the page beside the button: a dialog makes everything outside of it impossible to select. */
function copyBySelection(text: string, beside: Element | null): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.className = 'unseen';
  field.value = text;
  field.setAttribute('aria-hidden', 'true');
  (beside ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}
