/** Somebody with a mouse, a keyboard and eyes, who does what people do in the chat and the inbox. */
import type { Locator, Page } from 'playwright';

export class Person {
  readonly page: Page;
  /** What went wrong in this window: errors, violations of the page's policy, requests to elsewhere. */
  readonly troubles: string[];

  constructor(page: Page, troubles: string[]) {
    this.page = page;
    this.troubles = troubles;
  }

  /** Troubles that a story has brought about on purpose. */
  forgives(expected: RegExp): void {
    const kept = this.troubles.filter((trouble) => !expected.test(trouble));
    this.troubles.splice(0, this.troubles.length, ...kept);
  }

  async opens(link: string): Promise<void> {
    await this.page.goto(link);
  }

  async reloads(): Promise<void> {
    await this.page.reload();
  }

  /** Begins a session with one of the scenarios of the first screen, and waits until it is there. */
  async begins(scenario: string): Promise<void> {
    await this.presses(new RegExp(`^${scenario}`));
    await this.sees(this.page.getByRole('heading', { level: 1, name: scenario }));
  }

  /** In the field at the foot of a session. */
  async says(text: string): Promise<void> {
    await this.writes('Message', text);
    await this.page.keyboard.press('Enter');
  }

  async writes(field: string, text: string): Promise<void> {
    await this.page.getByRole('textbox', { name: field }).fill(text);
  }

  /** A button; it is scrolled to, and waited for until it works. */
  async presses(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    const button = within.getByRole('button', { name, exact: true });
    await button.scrollIntoViewIfNeeded();
    await button.click();
  }

  async chooses(label: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByLabel(label).check();
  }

  async sees(what: string | RegExp | Locator): Promise<void> {
    try {
      await this.#found(what).first().waitFor();
    } catch (cause) {
      const screen = await this.page.locator('body').ariaSnapshot();
      throw new Error(`Not on the screen: ${String(what)}. What is:\n${screen}`, { cause });
    }
  }

  /** All of it is within the window, and not merely somewhere on the page. */
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

  /** What an agent asks, by the name that a screen reader says. */
  card(name: string | RegExp): Locator {
    return this.page.locator('.card').and(this.page.getByRole('article', { name }));
  }

  /** Goes through all of what a card asks to be approved, from page to page, as the card leads. */
  async reads(card: Locator): Promise<void> {
    await this.sees(card);
    const more = card.getByRole('button', { name: /^Review the full/ });
    while ((await more.count()) > 0) {
      // It goes as soon as all was seen, also while it is pressed.
      await more.evaluateAll((all) => all.map((one) => one instanceof HTMLElement && one.click()));
      // What came into the window is noted when it has been drawn.
      await this.page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    }
  }

  /** A button that does what it says: not in the moment after it appeared, nor before all was read. */
  working(name: string): Locator {
    return this.page.locator('button:enabled:not([aria-disabled="true"])', { hasText: name });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The id of the session that is on the screen. */
  get sessionId(): string {
    const id = /session=([\w-]+)/.exec(this.page.url())?.[1];
    if (id === undefined) throw new Error(`No session is open at ${this.page.url()}`);
    return id;
  }

  async leaves(): Promise<void> {
    await this.page.context().close();
  }

  #found(what: string | RegExp | Locator): Locator {
    return typeof what === 'string' || what instanceof RegExp ? this.page.getByText(what) : what;
  }
}
