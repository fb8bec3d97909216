/**
 * Who looks at the session on the screen. A bug here looks like a person who stays after leaving, a frame for each line
 * that is scrolled, or a hidden page that says its person looks.
 */
import { afterEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Looking } from '../../src/protocol/types.ts';
import { axeProblems } from '../support/web/axe.ts';
import { startStage, type Stage } from '../support/web/stage.tsx';
import { inLongRun } from '../support/run-length.ts';

afterEach(() => void vi.restoreAllMocks());

const APPROVAL = { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } };

/** Another person, who looks as the chat does. */
function otherPerson({ host, id }: Stage, subject: string) {
  const seen: string[][] = [];
  const transport = host.transport({ subject, scopes: ['read'], via: 'web' });
  const subscription = transport.subscribe(id, {
    presence: ({ people }) =>
      void seen.push(people.map((one) => `${one.subject} ${one.interactionId ?? '–'}`)),
  });
  return {
    look: (at: Looking) => subscription.look(at),
    close: () => subscription.close(),
    seen,
  };
}

inLongRun(() => {
  it('[PRES-5] shows the others as initials in the head, and by name on the card that they look at', async () => {
    const stage = await startStage();
    await stage.agent.open(stage.id, { ...APPROVAL, toolCallId: 'c1' });
    stage.open();
    await expect.element(page.getByText('Waiting for you').first()).toBeVisible();
    const bob = otherPerson(stage, 'bob.kaya@example.com');
    bob.look({});
    const head = page.getByTitle('bob.kaya@example.com is looking');
    await expect.element(head).toBeVisible();
    expect(head.element().textContent).toContain('BK');
    expect(document.querySelector('.card')?.textContent).not.toContain('is looking');
    bob.look({ interactionId: 'c1~1' });
    await expect.poll(() => document.querySelector('.card')?.textContent).toContain('is looking');
    expect(await axeProblems(stage.element, { isPage: true })).toEqual([]);
    const both = ['ada c1~1', 'bob.kaya@example.com c1~1'];
    await expect.poll(() => bob.seen.at(-1)?.toSorted()).toEqual(both);
    bob.close();
    await expect.poll(() => head.query()).toBeNull();
    expect(document.querySelector('.card')?.textContent).not.toContain('is looking');
  });
});

it('[PRES-5] says that the person looks while the page is visible, and nothing of what is scrolled past', async () => {
  const stage = await startStage();
  const bob = otherPerson(stage, 'bob');
  bob.look({});
  stage.open();
  // Either socket may be there first.
  await expect.poll(() => bob.seen.at(-1)?.toSorted()).toEqual(['ada –', 'bob –']);
  const before = bob.seen.length;
  for (let count = 0; count < 50; count += 1) document.dispatchEvent(new Event('scroll'));
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(() => bob.seen.at(-1)).toEqual(['bob –']);
  expect(bob.seen.length).toBe(before + 1);
  visibility.mockRestore();
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(() => bob.seen.at(-1)).toEqual(['bob –', 'ada –']);
  bob.close();
});
