/** Names in the place of subjects. A bug here names somebody who only calls themselves so, or hides who decided. */
import { afterEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { KnownNames } from '../../src/web/app/known-names.tsx';
import { setNames } from '../../src/web/model/names.ts';
import { mount } from '../support/web/mount.ts';
import { ADA } from '../support/web/person.ts';
import { startStage } from '../support/web/stage.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  setNames({});
});

const APPROVAL = { kind: 'approval', toolName: 'Bash', toolCallId: 'c1', input: { command: 'ls' } };

it('[TEAM-1] are those of the directory, on a card that somebody decided', async () => {
  setNames({ 'bo@example.com': 'Bo Lind' });
  const stage = await startStage();
  await stage.agent.open(stage.id, { ...APPROVAL, audience: { subjects: ['bo@example.com'] } });
  stage.open();
  await expect.element(page.getByText('For Bo Lind').first()).toBeVisible();
  const bo = stage.host.transport({
    subject: 'bo@example.com',
    scopes: ['read', 'answer'],
    via: 'web',
  });
  await bo.answer(stage.id, 'c1~1', { decision: 'approve' });
  await expect.element(page.getByText('by Bo Lind').first()).toBeVisible();
  expect(stage.element.textContent).not.toContain('bo@example.com');
});

it('[TEAM-1] are read once, drawn when they change, and forgotten with the person', async () => {
  let names: object = { names: { a: 'Ann', b: 7 } };
  const fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => Response.json(names));
  const changed = vi.fn<() => void>();
  const shown = mount(<KnownNames person={ADA} onChange={changed} />);
  await expect.poll(() => changed.mock.calls.length).toBe(1);
  expect(fetched.mock.calls[0]?.[0]).toBe('/v1/names');
  names = { names: 'none' };
  shown.show(<KnownNames person={{ ...ADA, token: 'hp_other' }} onChange={changed} />);
  await expect.poll(() => fetched.mock.calls.length).toBe(2);
});
