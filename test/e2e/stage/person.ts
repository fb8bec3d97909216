/** A person with a mouse or a finger, a keyboard and a screen, who uses the chat and the inbox; or with a keyboard alone. */
import type { Locator, Page } from 'playwright';

export type Hands = 'mouse' | 'keyboard';

/** By its accessible name within the page or a part of it; or the element. */
type Named = string | RegExp | Locator;

export interface PersonOptions {
  /** Problems in this window: errors, violations of the page's policy, requests to another origin. */
  readonly problems: string[];
  /** The window is a phone: the mouse is a finger. */
  readonly hasTouch?: boolean | undefined;
}

/** The list of sessions, the inbox and a card together have fewer stops. */
const MAX_STOPS = 250;
const MAX_TRIES = 5;

export class Person {
  readonly page: Page;
  readonly problems: string[];
  readonly #hasTouch: boolean;
  #by: Hands = 'mouse';

  constructor(page: Page, { problems, hasTouch = false }: PersonOptions) {
    this.page = page;
    this.problems = problems;
    this.#hasTouch = hasTouch;
  }

  /** From now on a press of a pointer is a problem. */
  async putsMouseAway(): Promise<void> {
    if (this.#by === 'keyboard') return;
    this.#by = 'keyboard';
    await this.page.addInitScript(reportPointer);
    await this.page.evaluate(reportPointer);
  }

  /** Removes problems that a story caused on purpose. */
  allowsProblems(expected: RegExp): void {
    const kept = this.problems.filter((problem) => !expected.test(problem));
    this.problems.splice(0, this.problems.length, ...kept);
  }

  async opens(link: string): Promise<void> {
    await this.page.goto(link);
  }

  async reloads(): Promise<void> {
    await this.page.reload();
  }

  /** Starts a session with a scenario of the first screen, and waits until it is shown. */
  async begins(scenario: string): Promise<void> {
    await this.presses(new RegExp(`^${scenario}`));
    await this.sees(this.page.getByRole('heading', { level: 1, name: scenario }));
  }

  /** Sends a message with the composer. */
  async says(text: string): Promise<void> {
    await this.writes('Message', text);
    await this.page.keyboard.press('Enter');
  }

  /** Replaces what is in a field. */
  async writes(field: Named, text: string, within: Page | Locator = this.page): Promise<void> {
    const box = this.#named(field, (name) => {
      // A field with suggestions is a combobox, as a select is.
      const suggesting = within.locator('input').and(within.getByRole('combobox', { name }));
      return within
        .getByRole('textbox', { name })
        .or(within.getByRole('searchbox', { name }))
        .or(suggesting);
    });
    if (this.#by === 'mouse') return box.fill(text);
    await this.#arrivesAt(box);
    const keys = dateKeys(await box.getAttribute('type'), text);
    for (const key of keys) await this.page.keyboard.press(key);
    if (keys.length > 0) return;
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
  }

  /** Scrolls to a button and presses it as soon as it is enabled. */
  async presses(what: Named, within: Page | Locator = this.page): Promise<void> {
    const button = this.#named(what, (name) => within.getByRole('button', { name, exact: true }));
    if (this.#by === 'keyboard') return this.#pressesEnterOn(button);
    // Some buttons wake only once they and what they decide on were in the window.
    await button.evaluate((one) => one.scrollIntoView({ block: 'nearest' }));
    await this.#points(button);
  }

  /** A box that is checked, or one of several options. */
  async chooses(label: Named, within: Page | Locator = this.page): Promise<void> {
    const choice = this.#named(label, (name) => within.getByLabel(name));
    if (this.#by === 'mouse') return choice.check();
    await this.#arrivesAt(choice);
    if (!(await choice.isChecked())) await this.page.keyboard.press('Space');
  }

  /** An option of a list that opens. */
  async selects(list: Named, option: string, within: Page | Locator = this.page): Promise<void> {
    const select = this.#named(list, (name) => within.getByRole('combobox', { name }));
    if (this.#by === 'mouse') return void (await select.selectOption({ label: option }));
    await this.#arrivesAt(select);
    await this.page.keyboard.type(option);
  }

  /** What a field has found, which a key moves to while the field keeps the focus. */
  async picks(found: Locator): Promise<void> {
    if (this.#by === 'mouse') return this.#points(found);
    const isCurrent = async () => (await found.getAttribute('aria-selected')) === 'true';
    for (let at = 0; at < MAX_STOPS && !(await isCurrent()); at += 1)
      await this.page.keyboard.press('ArrowDown');
    await this.page.keyboard.press('Enter');
  }

  /** With the dialog of the system, which a button opens. */
  async attaches(button: Named, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
    const dialog = this.page.waitForEvent('filechooser');
    await this.presses(button);
    await (await dialog).setFiles(files);
  }

  /** Opens what is folded behind these words. */
  async unfolds(words: Named, within: Page | Locator = this.page): Promise<void> {
    const summary = this.#named(words, (hasText) => within.locator('summary', { hasText }));
    await (this.#by === 'mouse' ? this.#points(summary) : this.#pressesEnterOn(summary));
  }

  async follows(what: Named, within: Page | Locator = this.page): Promise<void> {
    const link = this.#named(what, (name) => within.getByRole('link', { name, exact: true }));
    await (this.#by === 'mouse' ? this.#points(link) : this.#pressesEnterOn(link));
  }

  /** A press at the place of a button, whatever its state. */
  async pressesHard(button: Locator): Promise<void> {
    if (this.#by === 'mouse') return button.click({ force: true });
    if (!(await this.#tabsTo(button))) throw new Error(`It left the page: ${String(button)}`);
    await this.page.keyboard.press('Enter');
  }

  /** About a window up, or to the end, in what a pointer is over or has the focus. */
  async scrolls(pane: Locator, where: 'up' | 'to the end'): Promise<void> {
    if (this.#by === 'mouse') {
      await pane.hover();
      return this.page.mouse.wheel(0, where === 'up' ? -600 : 100_000);
    }
    if (!(await this.#tabsTo(pane))) throw new Error(`It left the page: ${String(pane)}`);
    await this.page.keyboard.press(where === 'up' ? 'PageUp' : 'End');
  }

  async sees(what: string | RegExp | Locator): Promise<void> {
    try {
      // A narrow window keeps the list of sessions, with the same words, out of sight.
      await this.#found(what).filter({ visible: true }).first().waitFor();
    } catch (cause) {
      const screen = await this.page.locator('body').ariaSnapshot();
      throw new Error(`Not on the screen: ${String(what)}. What is:\n${screen}`, { cause });
    }
  }

  /** The whole element is within the window, not merely on the page. */
  async seesInWindow(what: Locator): Promise<void> {
    await this.sees(what);
    const isIn = async () => {
      const box = await what.first().boundingBox();
      const height = await this.page.evaluate(() => innerHeight);
      return box !== null && box.y >= 0 && box.y + box.height <= height;
    };
    for (let tries = 0; tries < 50 && !(await isIn()); tries += 1)
      await this.page.waitForTimeout(100);
    if (!(await isIn())) throw new Error(`Not within the window: ${String(what)}`);
  }

  async seesNoMore(what: string | RegExp | Locator): Promise<void> {
    await this.#found(what).first().waitFor({ state: 'hidden' });
  }

  /** The card of a request, by its accessible name. */
  card(name: string | RegExp): Locator {
    return this.page.locator('.card').and(this.page.getByRole('article', { name }));
  }

  /** Scrolls through everything that a card asks to approve, with the card's own hint. */
  async reads(card: Locator): Promise<void> {
    await this.sees(card);
    // Before its first look at the card, the page says nothing of what is missing.
    await this.#looked();
    const more = card.getByRole('button', { name: /^Review the full/ });
    while ((await more.count()) > 0) {
      // The hint disappears once everything was seen, perhaps during the press.
      if (this.#by === 'mouse')
        await more.evaluateAll((all) =>
          all.map((one) => one instanceof HTMLElement && one.click()),
        );
      else if (await this.#tabsTo(more)) await this.page.keyboard.press('Enter');
      await this.#looked();
    }
  }

  /** A button that is active: the arming time is over and everything was read. */
  working(name: string): Locator {
    return this.page.locator('button:enabled:not([aria-disabled="true"])', { hasText: name });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The id of the session on the screen. */
  get sessionId(): string {
    const id = /session=([\w-]+)/.exec(this.page.url())?.[1];
    if (id === undefined) throw new Error(`No session is open at ${this.page.url()}`);
    return id;
  }

  async leaves(): Promise<void> {
    await this.page.context().close();
  }

  /** The page notes seen content after it is drawn. */
  async #looked(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise((done) =>
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))),
        ),
    );
  }

  #named(what: Named, find: (name: string | RegExp) => Locator): Locator {
    return typeof what === 'string' || what instanceof RegExp ? find(what) : what;
  }

  async #points(target: Locator): Promise<void> {
    await (this.#hasTouch ? target.tap() : target.click());
  }

  /** As soon as it works: until then the element may have the focus, and a press does nothing. */
  async #pressesEnterOn(target: Locator): Promise<void> {
    await this.#arrivesAt(target);
    await target.and(this.page.locator(':not([aria-disabled="true"])')).waitFor();
    await this.page.keyboard.press('Enter');
  }

  async #arrivesAt(target: Locator): Promise<void> {
    const there = target.and(this.page.locator(':enabled, a, summary'));
    // A list that is searched may be drawn anew on the way.
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      await there.first().waitFor();
      if (await this.#tabsTo(target)) return;
    }
    throw new Error(`It left the page: ${String(target)}`);
  }

  /** With Tab, and within a group of choices with the arrows. False if it is not there any more. */
  async #tabsTo(target: Locator): Promise<boolean> {
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      const next = await target.evaluateAll(([wanted]) => {
        const one = document.activeElement;
        if (wanted === undefined || one === wanted) return wanted === one ? 'there' : 'gone';
        const groupOf = (of: Element | null) =>
          of instanceof HTMLInputElement && of.type === 'radio' ? of.name : undefined;
        if (groupOf(one) !== undefined && groupOf(one) === groupOf(wanted)) return 'ArrowDown';
        const isBefore =
          one !== null &&
          (wanted.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
        return isBefore ? 'Shift+Tab' : 'Tab';
      });
      if (next === 'there' || next === 'gone') return next === 'there';
      await this.page.keyboard.press(next);
    }
    throw new Error(`Tab does not lead to ${String(target)}`);
  }

  #found(what: string | RegExp | Locator): Locator {
    if (typeof what !== 'string' && !(what instanceof RegExp)) return what;
    // On a phone the page has the sidebar too, behind a button.
    return this.page.getByText(what).filter({ visible: true });
  }
}

/** Runs in the page, whose errors are problems of the story. */
function reportPointer(): void {
  addEventListener('pointerdown', ({ isTrusted }) => {
    if (isTrusted) console.error('A pointer was used');
  });
}

/** A field of a date has a part for each number, in American order; the keys for one, or none for another field. */
function dateKeys(type: string | null, text: string): readonly string[] {
  if (type !== 'date' && type !== 'datetime-local') return [];
  const [, year = '', month = '', day = '', hour = '', minute = ''] =
    /^(\d+)-(\d+)-(\d+)(?:T(\d+):(\d+))?$/.exec(text) ?? [];
  const date = [...month, ...day, ...year];
  if (hour === '') return date;
  // A year may have six digits: the field waits for more.
  const half = Number(hour) < 12 ? 'a' : 'p';
  const clock = String(Number(hour) % 12 || 12).padStart(2, '0');
  return [...date, 'ArrowRight', ...clock, ...minute, half];
}
