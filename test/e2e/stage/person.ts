/** A person with a mouse, a keyboard and a screen, who uses the chat and the inbox. */
import type { Locator, Page } from 'playwright';

export class Person {
  readonly page: Page;
  /** Problems in this window: errors, violations of the page's policy, requests to another origin. */
  readonly problems: string[];

  constructor(page: Page, problems: string[]) {
    this.page = page;
    this.problems = problems;
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

  async writes(field: string, text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: field }).fill(text);
  }

  /** Scrolls to a button and presses it as soon as it is enabled. */
  async presses(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    const button = within.getByRole('button', { name, exact: true });
    // Some buttons wake only once they and what they decide on were in the window.
    await button.evaluate((one) => one.scrollIntoView({ block: 'nearest' }));
    await button.click();
  }

  async chooses(label: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByLabel(label).check();
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
      await more.evaluateAll((all) => all.map((one) => one instanceof HTMLElement && one.click()));
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

  #found(what: string | RegExp | Locator): Locator {
    if (typeof what !== 'string' && !(what instanceof RegExp)) return what;
    // On a phone the page has the sidebar too, behind a button.
    return this.page.getByText(what).filter({ visible: true });
  }
}
