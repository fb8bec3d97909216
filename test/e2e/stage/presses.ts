/**
 * Counts what a person does in a window: each press of a button, a link or a checkbox, each key that is no text, and each
 * field that is written, however long the text and however the field was reached.
 *
 * Presses and keys count only where the browser made them: of a click by script the count knows nothing, and is too low.
 * Scrolling, and reading, count nothing.
 */
import type { Person } from './person.ts';

export class Presses {
  #made: string[] = [];
  readonly #person: Person;

  constructor(person: Person) {
    this.#person = person;
  }

  /** What was done until now counts nothing. */
  async begin(): Promise<void> {
    await this.#arrived();
    this.#made = [];
  }

  /** Something outside of the page: a link in a notification that is pressed, or a command that is run. */
  add(what: string): void {
    this.#made.push(what);
  }

  async made(): Promise<readonly string[]> {
    await this.#arrived();
    return this.#made;
  }

  /** A page reports in order: what it reported before its answer is here. */
  async #arrived(): Promise<void> {
    if (!this.#person.page.isClosed()) await this.#person.page.evaluate(() => document.title);
  }
}

const REPORT = 'reportPress';

export async function countPresses(person: Person): Promise<Presses> {
  const { page } = person;
  const presses = new Presses(person);
  await page.exposeFunction(REPORT, (what: string) => presses.add(what));
  await page.addInitScript(reportPresses, REPORT);
  await page.evaluate(reportPresses, REPORT);
  return presses;
}

/** Runs in the page. */
function reportPresses(name: string): void {
  const report = (what: string): void => {
    const send: unknown = Reflect.get(globalThis, name);
    if (typeof send === 'function') send(what);
  };
  const isField = (target: EventTarget | null): target is HTMLElement =>
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement &&
      !['checkbox', 'radio', 'button', 'submit', 'file'].includes(target.type));
  const nameOf = (target: EventTarget | null): string => {
    const pressed =
      target instanceof Element ? (target.closest('button, a, label, summary') ?? target) : null;
    const words = pressed?.getAttribute('aria-label') ?? pressed?.textContent ?? '';
    return words.replaceAll(/\s+/g, ' ').trim().slice(0, 60);
  };
  let written: EventTarget | null = null;
  const note = (what: string): void => {
    written = null;
    report(what);
  };
  addEventListener(
    'pointerdown',
    ({ isTrusted, target }) => {
      // Going into a field is part of writing it.
      if (isTrusted && !isField(target)) note(`press ${nameOf(target)}`);
    },
    true,
  );
  addEventListener(
    'keydown',
    ({ isTrusted, repeat, key, ctrlKey, metaKey, altKey, target }) => {
      if (!isTrusted || repeat || ['Shift', 'Control', 'Alt', 'Meta'].includes(key)) return;
      const isText = key.length === 1 && !ctrlKey && !metaKey && !altKey && isField(target);
      if (!isText) note(`key ${key}`);
    },
    true,
  );
  addEventListener(
    'input',
    ({ target }) => {
      if (target instanceof HTMLSelectElement) {
        note(`open ${nameOf(target)}`);
        note('choose');
      } else if (isField(target) && target !== written) {
        note(`write ${target.getAttribute('aria-label') ?? target.id}`);
        written = target;
      }
    },
    true,
  );
}
