/** The page with a screen reader, with a keyboard only, and for right-to-left text. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { startServerClock } from '../../src/web/clock.ts';
import { Chat } from '../../src/web/app/chat.tsx';
import { loadMarkdown } from '../../src/web/markdown/markdown.tsx';
import { axeProblems } from '../support/web/axe.ts';
import { begins, modelText } from '../support/web/events.ts';
import { memoryStore } from '../support/web/memory-store.ts';
import { mount } from '../support/web/mount.ts';
import { ADA } from '../support/web/person.ts';
import { startStage } from '../support/web/stage.tsx';
import { startInPageServer } from '../support/web/in-page-server.ts';

const APPROVAL = { kind: 'approval', toolName: 'Bash', input: { command: 'ls' } };
const settled = () => new Promise((resolve) => setTimeout(resolve, 150));
const log = () => document.querySelector('[role=log]')?.textContent ?? '';

beforeEach(() => page.viewport(1280, 800));

describe('[UI-10] a screen reader', () => {
  it('announces each finished text once, without Markdown, and no history', async () => {
    const { id, agent, wire, open, element } = await startStage();
    await agent.appendEvents(id, [
      begins(),
      modelText('Before.', { turnId: 't1', responseId: 'r0' }),
    ]);
    open();
    await expect.element(page.getByText('Before.')).toBeVisible();
    await settled();
    expect(log()).toBe('');
    wire.delta({ turnId: 't1', responseId: 'r1', text: 'It is **do' });
    await settled();
    expect(log()).toBe('');
    await agent.appendEvents(id, [modelText('It is **done**.\n\n- One `file`')]);
    await expect.poll(log).toBe('It is done. One file');
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });

  it('announces a streamed text paragraph by paragraph, and its end once', async () => {
    const { id, agent, wire, open } = await startStage();
    await agent.appendEvents(id, [begins()]);
    open();
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await settled();
    const spoken: string[] = [];
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        spoken.push(...[...addedNodes].map(({ textContent }) => textContent ?? ''));
    });
    const region = document.querySelector('[role=log]');
    if (region !== null) observer.observe(region, { childList: true });
    const stream = (text: string) => wire.delta({ turnId: 't1', responseId: 'r1', text });
    stream('The first **paragraph**.');
    await settled();
    expect(spoken).toEqual([]);
    stream('\n\nThe sec');
    await expect.poll(() => spoken).toEqual(['The first paragraph.']);
    stream('ond.\n\nThe third');
    await expect.poll(() => spoken).toEqual(['The first paragraph.', 'The second.']);
    const whole = 'The first **paragraph**.\n\nThe second.\n\nThe third is the last.';
    await agent.appendEvents(id, [modelText(whole, { turnId: 't1', responseId: 'r1' })]);
    await expect.poll(() => spoken.at(-1)).toBe('The third is the last.');
    await settled();
    expect(spoken).toHaveLength(3);
    observer.disconnect();
  });

  it('announces the first text of a session', async () => {
    const { id, agent, open } = await startStage();
    open();
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await settled();
    await agent.appendEvents(id, [begins(), modelText('First.')]);
    await expect.poll(log).toBe('First.');
  });
});

describe('[UI-6] a keyboard', () => {
  it('skips the sessions with one key', async () => {
    const { owner, person } = startInPageServer();
    const ids = [];
    for (let at = 0; at < 5; at += 1)
      ids.push((await owner.createSession({ title: `Session ${at}` })).id);
    const { element } = mount(
      <Chat
        person={ADA}
        location={{ session: ids[0] ?? '' }}
        transport={person}
        clock={startServerClock()}
        store={memoryStore()}
        agent="none"
        onGo={() => undefined}
        onSignOut={() => undefined}
      />,
    );
    await expect.element(page.getByText('Session 4')).toBeVisible();
    await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveFocus();
    const skip = page.getByRole('button', { name: 'Skip to the conversation' });
    expect(element.querySelector('a, button')).toBe(skip.element());
    skip.element().focus();
    await expect.element(skip).toBeInViewport();
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('region', { name: 'Conversation' })).toHaveFocus();
    await expect.element(skip).not.toBeInViewport();
  });

  it('reaches an open card as a whole, with announced shortcuts', async () => {
    const { id, agent, person, open } = await startStage();
    await agent.open(id, { ...APPROVAL, toolCallId: 'c1' });
    await agent.open(id, {
      kind: 'question',
      toolName: 'AskUserQuestion',
      toolCallId: 'q1',
      questions: [{ header: 'A', question: 'Which?', options: [{ label: 'x' }, { label: 'y' }] }],
    });
    open();
    const card = () => document.querySelector<HTMLElement>('[data-interaction="c1~1"]');
    await expect.poll(() => card()?.tabIndex).toBe(0);
    await expect.element(page.getByLabelText('y2')).toHaveAttribute('aria-keyshortcuts', '2');
    page
      .getByRole('button', { name: /^Copy the/ })
      .first()
      .element()
      .focus();
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
    expect(document.activeElement).toBe(card());
    await person.denyTool(id, 'c1');
    await expect.poll(() => card()?.tabIndex).toBe(-1);
  });
});

describe('[UI-10] right-to-left text', () => {
  const QUESTION = 'أي قاعدة بيانات؟';

  it('has its direction in questions, notes and answers, but not in commands', async () => {
    await loadMarkdown();
    const { id, agent, open, element, person } = await startStage();
    await person.sendMessage(id, 'مرحبا').routed;
    await agent.appendEvents(id, [begins(), modelText(`# عنوان\n\nنص عربي\n\n- بند\n\nEnglish.`)]);
    await agent.open(id, {
      kind: 'question',
      toolName: 'AskUserQuestion',
      toolCallId: 'q1',
      turnId: 't1',
      questions: [
        {
          header: 'A',
          question: QUESTION,
          options: [{ label: 'نعم', description: 'وصف' }, { label: 'no' }],
        },
      ],
    });
    await agent.open(id, { ...APPROVAL, toolCallId: 'c1', turnId: 't1', description: 'شرح' });
    open();
    await expect.element(page.getByText(QUESTION).first()).toBeVisible();
    const direction = (text: string) => {
      const found = [...element.querySelectorAll('[dir=auto], [dir=auto] *')].find(
        (one) => one.textContent === text,
      );
      return found && getComputedStyle(found).direction;
    };
    for (const text of ['عنوان', 'نص عربي', QUESTION, 'نعم', 'وصف', 'شرح'])
      expect([text, direction(text)]).toEqual([text, 'rtl']);
    // An option is one whole: its description stands at the side of its label.
    const edgeOf = (text: string) => page.getByText(text).element().getBoundingClientRect().right;
    expect(edgeOf('وصف')).toBeGreaterThan(edgeOf('نعم') - 2);
    expect(direction('English.')).toBe('ltr');
    expect(direction('no')).toBe('ltr');
    const field = page.getByRole('textbox', { name: 'Message' });
    await field.fill('مرحبا');
    expect(getComputedStyle(field.element()).direction).toBe('rtl');
    const command = element.querySelector('.command .code');
    expect(command && getComputedStyle(command).direction).toBe('ltr');
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });
});
