/** Whom a request is for, on its card. A bug here takes the buttons from a person who is asked. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { personWith } from '../../support/web/person.ts';
import { askCard } from './ask-card.tsx';

const APPROVAL = { kind: 'approval', input: { command: 'ls' } };
const deny = () => page.getByRole('button', { name: 'Deny…' });
afterEach(() => vi.unstubAllGlobals());

let people = 0;
/** Each has a token of its own: the groups of a token are kept for a minute. */
const ada = () => ({ ...personWith('read', 'answer'), token: `hp_x.${(people += 1)}` });

/** Serves `GET /v1/me`. */
function serveGroups(reply: () => Response | Promise<Response>): Request[] {
  const asked: Request[] = [];
  const serve = async (url: RequestInfo | URL, init?: RequestInit) => {
    const target = url instanceof Request ? url.url : url;
    asked.push(new Request(new URL(target, 'http://page.test'), init));
    return reply();
  };
  vi.stubGlobal('fetch', serve);
  return asked;
}

const groups = (...names: string[]) => Response.json({ groups: names });

describe('[ROUTE-8] a card', () => {
  it('says whom its request is for, and a person who is asked may answer', async () => {
    const audience = { subjects: ['ada'], groups: ['ops'] };
    const card = await askCard({ ...APPROVAL, audience }, { me: ada() });
    await expect.element(page.getByText('For ada, group ops')).toBeVisible();
    await expect.element(deny()).toBeVisible();
    expect(await axeProblems(card.element)).toEqual([]);
    await card.server.owner.approveTool(card.sessionId, 'call-1');
    await card.show();
    await expect.element(page.getByText('For ada, group ops')).toBeVisible();
  });

  it('is read whole by a person who is not asked, without buttons', async () => {
    const asked = serveGroups(() => groups('leads'));
    const audience = { subjects: ['ana'], groups: ['ops'] };
    const card = await askCard({ ...APPROVAL, audience, timeoutSeconds: 60 }, { me: ada() });
    const words = 'This request is for ana and group ops. You can read it.';
    await expect.element(page.getByText(words)).toBeVisible();
    await expect.element(page.getByText('ls', { exact: true }).first()).toBeVisible();
    for (const name of [/Approve/, /Deny/, /More time/])
      expect(page.getByRole('button', { name }).query()).toBeNull();
    expect(card.element.textContent).not.toContain('Waiting for you');
    expect(asked.map(({ url }) => new URL(url).pathname)).toEqual(['/v1/me']);
    expect(asked[0]?.headers.get('authorization')).toMatch(/^Bearer hp_x/);
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('needs no request where names alone decide', async () => {
    const asked = serveGroups(() => groups());
    await askCard({ ...APPROVAL, audience: { subjects: ['ana'] } }, { me: ada() });
    await expect.element(page.getByText('This request is for ana. You can read it.')).toBeVisible();
    expect(asked).toEqual([]);
  });

  it('keeps its buttons for a member of a group, and for an administrator', async () => {
    serveGroups(() => groups('ops'));
    const audience = { groups: ['ops'] };
    const me = ada();
    const card = await askCard({ ...APPROVAL, audience }, { me });
    await expect.element(deny()).toBeVisible();
    await card.show(undefined, { me: { ...me, scopes: ['admin'] } });
    await expect.element(deny()).toBeVisible();
    expect(card.element.textContent).not.toContain('You can read it');
  });

  it('keeps its buttons while the groups are not known, and shows what the server says', async () => {
    let release: (reply: Response) => void = () => undefined;
    const asked = serveGroups(() => new Promise((resolve) => (release = resolve)));
    const card = await askCard({ ...APPROVAL, audience: { groups: ['ops'] } }, { me: ada() });
    await expect.poll(() => asked.length).toBe(1);
    await deny().click();
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await expect
      .element(page.getByText(/This request is for group ops; one of them/))
      .toBeVisible();
    expect((await card.now()).status).toBe('open');
    release(groups());
    await expect.element(page.getByText('You can read it', { exact: false })).toBeVisible();
    expect(deny().query()).toBeNull();
  });

  it('gives buttons to the audience that is asked next', async () => {
    const card = await askCard({ ...APPROVAL, audience: { subjects: ['ana'] } }, { me: ada() });
    await expect.element(page.getByText('You can read it', { exact: false })).toBeVisible();
    await card.show({ ...card.opened, audience: { subjects: ['ana', 'ada'] } });
    await expect.element(page.getByText('For ana, ada')).toBeVisible();
    await expect.element(deny()).toBeVisible();
  });
});
