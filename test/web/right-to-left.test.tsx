/**
 * The chat and the inbox in a language that is written from right to left. A bug looks like a text that runs out of its card
 * on the left, where no one scrolls.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { ENGLISH, setLanguage } from '../../src/web/model/language.ts';
import { axeProblems } from '../support/web/axe.ts';
import { startInPageServer } from '../support/web/in-page-server.ts';
import { MIRRORED } from '../support/web/mirrored-language.ts';
import { startStage } from '../support/web/stage.tsx';
import { ask, show } from './inbox/shown-inbox.tsx';

const root = document.documentElement;

afterEach(() => {
  setLanguage(ENGLISH);
  root.dir = 'ltr';
});

const KINDS = {
  command: { kind: 'approval', toolName: 'Bash', input: { command: 'make deploy', cwd: '/srv' } },
  fields: { kind: 'approval', toolName: 'مرسل', input: { العنوان: 'إصدار', to: 'a@example.com' } },
  edit: {
    kind: 'approval',
    toolName: 'Edit',
    input: { file_path: 'src/a.ts', old_string: 'a\nb', new_string: 'a\nc' },
    description: 'يغيّر الحدود',
  },
  choices: {
    kind: 'approval',
    toolName: 'Deploy',
    input: { to: 'production' },
    choices: [
      { id: 'go', label: 'نعم', decision: 'approve' },
      { id: 'no', label: 'Not now', decision: 'deny' },
    ],
  },
  question: {
    kind: 'question',
    toolName: 'AskUserQuestion',
    questions: [
      { header: 'اللون', question: 'أي لون؟', options: [{ label: 'أحمر' }, { label: 'Blue' }] },
    ],
  },
  plan: { kind: 'plan_review', toolName: 'ExitPlanMode', plan: '# خطة\n\n1. Copy\n2. بدّل' },
  form: {
    kind: 'form',
    toolName: 'Provision',
    schema: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', title: 'الاسم' },
        region: { type: 'string', title: 'Region', enum: ['eu', 'us'] },
        backup: { type: 'boolean', title: 'Backups' },
      },
    },
  },
  link: { kind: 'link', toolName: 'Login', url: 'https://example.com/login', message: 'ادخل' },
} as const;

/** What stands beyond an edge of its card, or of the window. */
function cutOff(element: HTMLElement): readonly string[] {
  const wide = root.scrollWidth - root.clientWidth;
  const beyond = [...element.querySelectorAll<HTMLElement>('.card')].flatMap((card) => {
    const { left, right } = card.getBoundingClientRect();
    return [...card.querySelectorAll('*:not(.unseen)')].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.width > 1 && (box.right > right + 1 || box.left < left - 1);
    });
  });
  return [
    ...(wide > 0 ? [`${wide} pixels beside the window`] : []),
    ...beyond.map((one) => one.outerHTML.slice(0, 160)),
  ];
}

describe.each([
  [1280, 800],
  [320, 640],
])('[UI-10, UI-17] from right to left at %d pixels', (width, height) => {
  it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('a card in the chat: %s', async (name) => {
    await page.viewport(width, height);
    const { id, agent, open, element } = await startStage();
    await agent.open(id, { toolCallId: 'call-1', ...KINDS[name] });
    setLanguage(MIRRORED);
    root.dir = 'rtl';
    open();
    const card = () => element.querySelector('.card.open .card-body :is(button, a.button)');
    await expect.poll(card).not.toBeNull();
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    expect(cutOff(element)).toEqual([]);
  });

  it('the inbox', async () => {
    await page.viewport(width, height);
    const made = startInPageServer();
    await ask(made, 'إصدار', KINDS.edit);
    await ask(made, 'Release', KINDS.command);
    setLanguage(MIRRORED);
    root.dir = 'rtl';
    const { element } = show(made);
    await expect.poll(() => element.querySelectorAll('.inbox-row').length).toBe(2);
    expect(await axeProblems(element)).toEqual([]);
    expect(cutOff(element)).toEqual([]);
  });

  it('a request in the inbox', async () => {
    await page.viewport(width, height);
    const made = startInPageServer();
    const { id, interactionId } = await ask(made, 'إصدار', KINDS.edit);
    setLanguage(MIRRORED);
    root.dir = 'rtl';
    const at = { page: 'inbox', session: id, interaction: interactionId } as const;
    const { element } = show(made, { location: at });
    await expect.poll(() => element.querySelector('.inbox-shown .file-head')).not.toBeNull();
    expect(await axeProblems(element)).toEqual([]);
    expect(cutOff(element)).toEqual([]);
  });
});
