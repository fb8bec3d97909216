/** The time of each message and request, and the links to them. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { dayText } from '../../src/web/model/times.ts';
import { axeProblems } from '../support/web/axe.ts';
import { begins, modelText } from '../support/web/events.ts';
import { startStage } from '../support/web/stage.tsx';

const links = () => page.getByRole('link', { name: /copy the link to this/ });

it('[DAILY-1] shows when each message and request came, and copies the link to it', async () => {
  const { id, agent, person, open, element } = await startStage();
  await person.sendMessage(id, 'Move my notes').routed;
  await agent.appendEvents(id, [begins(), modelText('I will look first.')]);
  await agent.open(id, {
    kind: 'approval',
    toolName: 'Bash',
    toolCallId: 'c1',
    input: { command: 'ls' },
  });
  open();
  await expect.element(links().nth(2)).toBeVisible();
  const time = element.querySelector('.of-user time') as HTMLTimeElement;
  expect(Math.abs(new Date(time.dateTime).getTime() - Date.now())).toBeLessThan(60_000);
  expect(time.innerText).toBe('just now');
  const own = page.getByRole('link', { name: /^just now, .*\d.*: copy the link to this message$/ });
  await userEvent.keyboard('{Shift}');
  (own.first().element() as HTMLElement).focus();
  expect(time.innerText).toContain(String(new Date().getFullYear()));
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Link copied')).toBeVisible();
  const hrefs = links()
    .elements()
    .map((link) => link.getAttribute('href'));
  expect(hrefs[0]).toMatch(new RegExp(`^/#session=${id}&event=\\d+$`));
  expect(hrefs[2]).toBe(`/#session=${id}&interaction=c1%7E1`);
  expect(element.querySelector('.day')).toBeNull();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

it('[DAILY-1] writes days as people do', () => {
  const now = new Date(2026, 4, 20, 1).getTime();
  expect(dayText(new Date(2026, 4, 20, 0, 5).getTime(), now)).toBe('Today');
  expect(dayText(new Date(2026, 4, 19, 23, 55).getTime(), now)).toBe('Yesterday');
  expect(dayText(new Date(2026, 4, 11).getTime(), now)).toMatch(/Monday.*11|11.*Monday/);
  expect(dayText(new Date(2025, 11, 31).getTime(), now)).toContain('2025');
});
