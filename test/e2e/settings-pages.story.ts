/**
 * The pages of an administrator with something in them, at every size, and by keyboard alone. A bug looks like a name that
 * pushes the page sideways, or a button that no key reaches.
 */
import { expect } from 'vitest';
import { agentOf } from './stage/agent.ts';
import { newPerson, PHONE, SMALL_PHONE, ZOOMED } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import type { Person } from './stage/person.ts';
import { type Holdpoint, startHoldpoint } from './stage/start-holdpoint.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const SIZES = [
  ['1280', {}],
  ['390', PHONE],
  ['320', SMALL_PHONE],
  ['zoomed', ZOOMED],
] as const;
const PAGES = ['rules', 'people', 'devices', 'keys', 'audit', 'status'] as const;
const PICTURES = process.env['HOLDPOINT_SETTINGS_PICTURES'];
const LONG = 'a-very-long-name-without-a-single-space-of-a-service-in-another-department';

async function filled(): Promise<Holdpoint> {
  const holdpoint = await startHoldpoint();
  const agent = agentOf(holdpoint);
  const call = async (method: string, path: string, json: object) => {
    const response = await fetch(holdpoint.url + path, {
      method,
      headers: {
        Authorization: `Bearer ${holdpoint.adminKey}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(json),
    });
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  };
  const session = await agent.opensSession(`Release of ${LONG}`);
  for (const command of ['make test', `make deploy SERVICE=${LONG}`, 'make publish']) {
    const input = { command };
    const id = await agent.asks(session, { kind: 'approval', toolName: 'Bash', input });
    await agent.answers(session, id, { decision: 'approve', reason: `Checked by ${LONG}` });
  }
  await call('PUT', '/v1/groups/release-managers', { subjects: [] });
  for (const name of ['Ana', 'Ben', LONG])
    await call('POST', '/v1/people', {
      email: `${name.slice(0, 40).toLowerCase()}@example.com`,
      name,
      role: 'answerer',
      groups: ['release-managers'],
    });
  for (const [effect, path] of [
    ['allow', `src/${LONG}/**`],
    ['deny', '.env'],
  ])
    await call('POST', '/v1/rules', { effect, toolName: 'Edit', path, reason: `By ${LONG}` });
  await call('POST', '/v1/keys', { name: LONG, scopes: ['agent', 'read', 'answer', 'send'] });
  await agent.linkFor('ada');
  return holdpoint;
}

async function entersSettings(person: Person, holdpoint: Holdpoint): Promise<void> {
  await person.opens(`${holdpoint.url}/#token=${holdpoint.adminKey}`);
  await person.sees('What should the agent do?');
  await person.opens(`${holdpoint.url}/#settings=appearance`);
  await person.sees(person.page.getByRole('heading', { name: 'Appearance' }));
}

const section = ({ page }: Person) => page.locator('main.settings');

/** Its content has arrived. */
async function isShown(person: Person): Promise<void> {
  await expect.poll(() => section(person).getByText('Loading…').count()).toBe(0);
  await person.sees(section(person).getByRole('heading', { level: 2 }).last());
}

story('the pages of an administrator fit every size', { timeout: 180_000 }, async () => {
  const holdpoint = await filled();
  try {
    for (const [size, options] of SIZES) {
      const ana = await newPerson(options);
      await entersSettings(ana, holdpoint);
      for (const name of PAGES) {
        await ana.opens(`${holdpoint.url}/#settings=${name}`);
        await isShown(ana);
        // The list of pages shows which one this is, also where it is one line.
        const box = await section(ana).locator('.settings-sections [aria-current]').boundingBox();
        const { width } = ana.page.viewportSize() ?? { width: 0 };
        expect(box !== null && box.x >= 0 && box.x + box.width <= width, name).toBe(true);
        await checkPage(ana, `${name} at ${size}`);
        if (PICTURES !== undefined)
          await ana.page.screenshot({ path: `${PICTURES}/${name}-${size}.png`, fullPage: true });
      }
      await leavesWithoutProblems(ana);
    }
  } finally {
    await holdpoint.stop();
  }
});

/** Presses Tab through the page, and returns what had the focus, each in the window and with a mark of it. */
async function tabsThrough({ page }: Person): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  for (let times = 0; times < 200; times += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const one = document.activeElement;
      if (one === null || one === document.body) return undefined;
      const { top, bottom } = one.getBoundingClientRect();
      const { outlineStyle, boxShadow } = getComputedStyle(one);
      const all = [...document.querySelectorAll('*')];
      return {
        place: String(all.indexOf(one)),
        isSeen: bottom > 0 && top < innerHeight,
        isMarked: outlineStyle !== 'none' || boxShadow !== 'none',
        name: one.outerHTML.slice(0, 120),
      };
    });
    // Behind the last of the page Tab leaves it, for the browser's own buttons, and comes back at its beginning.
    if (focused === undefined) continue;
    expect(focused.isSeen, `in the window: ${focused.name}`).toBe(true);
    expect(focused.isMarked, `marked: ${focused.name}`).toBe(true);
    if (seen.has(focused.place)) return seen;
    seen.add(focused.place);
  }
  throw new Error('Tab does not come to an end');
}

async function missedByTab(person: Person): Promise<readonly string[]> {
  const reached = await tabsThrough(person);
  const controls = await controlsOf(person);
  return controls.filter(([place]) => !reached.has(place)).map(([, html]) => html);
}

/** What can be pressed or written on the page, by its place in the document. */
async function controlsOf(person: Person): Promise<readonly (readonly [string, string])[]> {
  return section(person).evaluate((main) => {
    const all = [...document.querySelectorAll('*')];
    const controls = main.querySelectorAll('a[href], button, input, select, textarea, summary');
    return [...controls].flatMap((one) => {
      const isOff = one.matches(':disabled') || !one.checkVisibility();
      // Of a group, the chosen one is reached by Tab and the others by the arrows.
      const isOfGroup = one.matches('input[type="radio"]:not(:checked)');
      return isOff || isOfGroup
        ? []
        : [[String(all.indexOf(one)), one.outerHTML.slice(0, 120)] as const];
    });
  });
}

for (const [size, options] of [SIZES[0], SIZES[3]])
  story(
    `the pages of an administrator by keyboard alone, ${size}`,
    { timeout: 180_000 },
    async () => {
      const holdpoint = await filled();
      try {
        const ana = await newPerson(options, 'keyboard');
        const { keyboard } = ana.page;
        await entersSettings(ana, holdpoint);
        for (const name of PAGES) {
          await ana.follows(section(ana).locator(`a[href="/#settings=${name}"]`));
          await isShown(ana);
          // A screen reader goes on at the page, and not at its beginning.
          await expect
            .poll(() => section(ana).evaluate((one) => one === document.activeElement))
            .toBe(true);
          // Again when its content arrived meanwhile, which moves the places of what was reached.
          await expect
            .poll(() => missedByTab(ana), { message: `not reached on ${name}`, timeout: 60_000 })
            .toEqual([]);
        }
        // A sheet gives the focus back to where it was opened.
        await ana.follows(section(ana).locator('a[href="/#settings=people"]'));
        await isShown(ana);
        for (const words of ['Invite a person', 'Change Ana', 'Remove Ana', 'New group']) {
          const button = ana.button(words);
          await ana.presses(button);
          await ana.sees(ana.page.getByRole('dialog'));
          await checkPage(ana, `${words}, ${size}`);
          await keyboard.press('Escape');
          await ana.seesNoMore(ana.page.getByRole('dialog'));
          await expect
            .poll(() => ana.page.evaluate(() => document.activeElement?.outerHTML), {
              message: words,
            })
            .toBe(await button.evaluate((one) => one.outerHTML));
        }
        await leavesWithoutProblems(ana);
      } finally {
        await holdpoint.stop();
      }
    },
  );
