/**
 * Adds the style of a part that is fetched later. It is in the script of that part, so that the part is never drawn
 * without it; the content security policy permits it, because it is no text of the page.
 */
export function adoptStyle(text: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
}
