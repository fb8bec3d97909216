/** A person with a mouse, a keyboard and a screen, who uses the chat and the inbox; or with a keyboard alone. */
import type { Locator, Page } from 'playwright';

export type Hands = 'mouse' | 'keyboard';

/** The list of sessions, the inbox and a card together have fewer stops. */
const MAX_STOPS = 250;

export class Person {
  readonly page: Page;
  /** Problems in this window: errors, violations of the page's policy, requests to another origin. */
  readonly problems: string[];
  #by: Hands = 'mouse';

  constructor(page: Page, problems: string[]) {
    this.page = page;
    this.problems = problems;
  }

  /** From now on a press of a pointer is a problem. */
  async putsMouseAway(): Promise<void> {
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

  async writes(field: string | RegExp, text: string): Promise<void> {
    const { page } = this;
    // A field with suggestions is a combobox, as a select is.
    const suggesting = page.locator('input').and(page.getByRole('combobox', { name: field }));
    const box = page.getByRole('textbox', { name: field }).or(suggesting);
    if (this.#by === 'mouse') return box.fill(text);
    await this.#arrivesAt(box);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
  }

  /** Scrolls to a button and presses it as soon as it is enabled. */
  async presses(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    const button = within.getByRole('button', { name, exact: true });
    if (this.#by === 'keyboard') return this.#pressesEnterOn(button);
    // Some buttons wake only once they and what they decide on were in the window.
    await button.evaluate((one) => one.scrollIntoView({ block: 'nearest' }));
    await button.click();
  }

  async chooses(label: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    const choice = within.getByLabel(label);
    if (this.#by === 'mouse') return choice.check();
    await this.#arrivesAt(choice);
    if (!(await choice.isChecked())) await this.page.keyboard.press('Space');
  }

  /** Opens what is folded behind these words. */
  async unfolds(words: string, within: Page | Locator = this.page): Promise<void> {
    const summary = within.locator('summary', { hasText: words });
    await (this.#by === 'mouse' ? summary.click() : this.#pressesEnterOn(summary));
  }

  async follows(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    const link = within.getByRole('link', { name, exact: true });
    await (this.#by === 'mouse' ? link.click() : this.#pressesEnterOn(link));
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
    const more = card.getByRole('button', { name: /^Review the full/ });
    while ((await more.count()) > 0) {
      // The hint disappears once everything was seen, perhaps during the press.
      if (this.#by === 'mouse')
        await more.evaluateAll((all) =>
          all.map((one) => one instanceof HTMLElement && one.click()),
        );
      else if (await this.#tabsTo(more)) await this.page.keyboard.press('Enter');
      // The page notes seen content after it is drawn.
      await this.page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
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

  /** As soon as it works: until then the element may have the focus, and a press does nothing. */
  async #pressesEnterOn(target: Locator): Promise<void> {
    await this.#arrivesAt(target);
    await target.and(this.page.locator(':not([aria-disabled="true"])')).waitFor();
    await this.page.keyboard.press('Enter');
  }

  async #arrivesAt(target: Locator): Promise<void> {
    await target.and(this.page.locator(':enabled, a, summary')).waitFor();
    if (!(await this.#tabsTo(target))) throw new Error(`It left the page: ${String(target)}`);
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
