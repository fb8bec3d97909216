/** The blocks of the conversation on the screen, in their order, for comparing it before and after a change. */
import type { Person } from './person.ts';

/** Without the messages of a person, which an agent does not report; a card by the id of its request. */
export async function shownBlocks({ page }: Person): Promise<readonly string[]> {
  return page.locator('.rows > .row:not(.of-user)').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const parts = [...row.querySelectorAll('.tool summary, .card')];
      // The heading for screen readers comes and goes with the message before it.
      const shown =
        parts.length === 0 ? row.querySelectorAll(':scope > :not(h2, .row-time)') : parts;
      return [...shown].map((part) =>
        part instanceof HTMLElement
          ? (part.dataset['interaction'] ?? part.innerText.replaceAll(/\s+/g, ' ').trim())
          : '',
      );
    }),
  );
}
