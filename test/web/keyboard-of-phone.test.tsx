/** A keyboard that lies over the page, and the lower edge of a phone. A bug here hides what answers a request. */
import { afterEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { startServerClock } from '../../src/web/clock.ts';
import { Chat } from '../../src/web/app/chat.tsx';
import { followKeyboard } from '../../src/web/device/follow-keyboard.ts';
import type { Location } from '../../src/web/model/location.ts';
import { axeProblems } from '../support/web/axe.ts';
import { startInPageServer } from '../support/web/in-page-server.ts';
import { memoryStore } from '../support/web/memory-store.ts';
import { mount } from '../support/web/mount.ts';
import { ADA } from '../support/web/person.ts';

const root = document.documentElement;

class ShownPart extends EventTarget {
  height = 800;
  offsetTop = 0;
  scale = 1;
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  root.removeAttribute('style');
});

function follow() {
  const shown = new ShownPart();
  const scrolls: number[] = [];
  const scrollTo = (_: unknown, top?: number) => void scrolls.push(top ?? -1);
  stops.push(followKeyboard(shown, { innerHeight: 800, scrollTo }));
  const change = (fields: Partial<ShownPart>) => {
    Object.assign(shown, fields);
    shown.dispatchEvent(new Event('resize'));
  };
  return { change, scrolls };
}

const heights = () =>
  ['--shown-height', '--keyboard'].map((name) => root.style.getPropertyValue(name));

describe('[UI-10] a keyboard over the page', () => {
  it('leaves the page the part that is shown, and all of it afterwards', () => {
    const { change, scrolls } = follow();
    expect(heights()).toEqual(['', '']);
    change({ height: 460, offsetTop: 90 });
    expect(heights()).toEqual(['460px', '340px']);
    expect(scrolls).toEqual([0]);
    change({ height: 800, offsetTop: 0 });
    expect(heights()).toEqual(['', '']);
  });

  it('is no bar of the browser, and no page that a person enlarged', () => {
    const { change } = follow();
    change({ height: 720 });
    expect(heights()).toEqual(['', '']);
    change({ height: 400, scale: 2 });
    expect(heights()).toEqual(['', '']);
  });

  it('is not followed any more after the end', () => {
    const { change } = follow();
    stops.splice(0).forEach((stop) => stop());
    change({ height: 460 });
    expect(heights()).toEqual(['', '']);
  });
});

async function openChat(width: number, height: number, location: Location = {}) {
  await page.viewport(width, height);
  const { owner, agent, person } = startInPageServer();
  const { id } = await owner.createSession({ title: 'Deploy' });
  await agent.open(id, { kind: 'approval', toolName: 'Bash', input: {} });
  const store = memoryStore();
  const nothing = () => undefined;
  const clock = startServerClock();
  const rest = { clock, store, agent: 'demo', onGo: nothing, onSignOut: nothing };
  return mount(<Chat person={ADA} transport={person} location={location} {...rest} />);
}

describe('[UI-10] the lower edge of a phone', () => {
  it('has the sessions, the inbox, a new session and the settings', async () => {
    const { element } = await openChat(390, 844);
    const bar = page.getByRole('navigation', { name: 'Main' });
    await expect
      .element(bar.getByRole('link', { name: 'Inbox' }))
      .toHaveTextContent('1 waiting for you');
    const [top, bottom] = edgesOf(bar.element());
    expect(bottom).toBe(844);
    expect(top).toBeGreaterThan(700);
    for (const way of bar.element().querySelectorAll('.way'))
      expect(way.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
    await bar.getByRole('button', { name: 'Sessions' }).click();
    await expect.element(page.getByRole('dialog', { name: 'Sessions' })).toBeVisible();
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });

  it('stands above the bar of the phone, which the page then leaves out', async () => {
    root.style.setProperty('--safe-bottom', '34px');
    await openChat(390, 844);
    const bar = page.getByRole('navigation', { name: 'Main' });
    await expect.element(bar).toBeVisible();
    const [, last] = edgesOf(bar.getByRole('link', { name: 'Settings' }).element());
    expect(last).toBe(844 - 34);
    const stage = document.querySelector('.stage') ?? root;
    expect(getComputedStyle(stage).getPropertyValue('--safe-bottom')).toBe('0px');
  });

  it.each([
    [1280, 800],
    [390, 500],
  ])('has no bar of its own in a window of %i by %i', async (width, height) => {
    await openChat(width, height);
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(page.getByRole('navigation', { name: 'Main' }).query()).toBeNull();
    const menu = page.getByRole('button', { name: 'Sessions' });
    expect(menu.elements()).toHaveLength(width < 1024 ? 1 : 0);
  });
});

function edgesOf(element: Element): readonly [number, number] {
  const { top, bottom } = element.getBoundingClientRect();
  return [Math.round(top), Math.round(bottom)];
}
