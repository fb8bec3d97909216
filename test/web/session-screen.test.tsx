/** A session in use: a person writes, stops, allows, revokes, renames and deletes. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ClientError } from '../../src/client/errors.ts';
import { axeProblems } from '../support/web/axe.ts';
import { begins, modelText } from '../support/web/events.ts';
import { memoryStore } from '../support/web/memory-store.ts';
import { personWith } from '../support/web/person.ts';
import { startStage } from '../support/web/stage.tsx';
import { inLongRun } from '../support/run-length.ts';

const APPROVAL = {
  kind: 'approval',
  toolName: 'Bash',
  toolCallId: 'c1',
  input: { command: 'ls' },
  offers: ['once', 'session'],
};
const message = () => page.getByRole('textbox', { name: 'Message' });
const details = () => page.getByRole('button', { name: 'Session settings' });

it('[UI-7] sends a message, and shows its target before', async () => {
  const { id, agent, open, element, person } = await startStage();
  open();
  await expect.element(page.getByText('To the agent', { exact: true })).toBeVisible();
  await message().fill('Hello there');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Hello there')).toBeVisible();
  await expect.element(message()).toHaveValue('');
  await agent.open(id, {
    kind: 'question',
    toolName: 'AskUserQuestion',
    questions: [{ header: 'A', question: 'Which one?', options: [{ label: 'x' }, { label: 'y' }] }],
  });
  await expect.element(page.getByText('Answering “Which one?”')).toBeVisible();
  await message().fill('my own');
  await userEvent.keyboard('{Enter}');
  await expect.poll(async () => (await person.snapshot(id)).open).toEqual([]);
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

const QUESTIONS = {
  kind: 'question',
  toolName: 'AskUserQuestion',
  toolCallId: 'q',
  questions: ['Layout', 'Color', 'Region'].map((header) => ({
    header,
    question: `Which ${header.toLowerCase()}?`,
    options: [{ label: `${header} A` }, { label: `${header} B` }],
  })),
};

it('[UI-7] answers the current question of the card, and keeps its choices', async () => {
  const { id, agent, person, open, element } = await startStage();
  await agent.open(id, QUESTIONS);
  open();
  await expect.element(page.getByText('Answering “Which layout?”')).toBeVisible();
  await page.getByRole('radio', { name: 'Layout A' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('radio', { name: 'Color B' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.element(page.getByText('Answering “Which region?”')).toBeVisible();
  await page.getByRole('button', { name: /^Color/ }).click();
  await expect.element(page.getByText('Answering “Which color?”')).toBeVisible();
  await message().fill('2');
  await userEvent.keyboard('{Enter}');
  // By its number; the card then moves to the next unanswered question.
  await expect.element(page.getByRole('button', { name: 'Color: Color B' })).toBeVisible();
  await expect.element(page.getByText('Answering “Which region?”')).toBeVisible();
  expect((await person.snapshot(id)).open).toHaveLength(1);
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await message().fill('eu-north');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Selected: eu-north')).toBeVisible();
  const { answers } = await person.interaction(id, 'q~1');
  expect(answers).toEqual({ 0: 'Layout A', 1: 'Color B', 2: 'eu-north' });
});

it('[UI-7] shows a card before it answers it', async () => {
  const { id, agent, person, open } = await startStage();
  await agent.open(id, { ...QUESTIONS, detached: true });
  const lines = Array.from({ length: 200 }, (_, at) =>
    modelText(`Line ${at}`, { responseId: `r${at}` }),
  );
  await agent.appendEvents(id, [begins(), ...lines]);
  open();
  await expect.element(page.getByText('Line 199')).toBeVisible();
  await message().fill('eu-north');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Look at the questions first')).toBeVisible();
  await expect.element(page.getByRole('radio', { name: 'Layout A' })).toBeVisible();
  await expect.element(message()).toHaveValue('eu-north');
  const [asked] = (await person.snapshot(id)).open;
  expect(asked?.partialAnswers).toBeUndefined();
});

it('[UI-7] asks again when the text would now answer another request', async () => {
  const { id, agent, person, open } = await startStage();
  open();
  await message().fill('Please also tidy up');
  await agent.open(id, QUESTIONS);
  await expect.element(page.getByText('Answering “Which layout?”')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByRole('alert').getByText(/answers “Which layout\?” now/))
    .toBeVisible();
  await expect.element(message()).toHaveValue('Please also tidy up');
  await person.cancelAll(id);
  await expect.element(page.getByText('To the agent', { exact: true })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert').getByText(/goes to the agent now/)).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(message()).toHaveValue('');
});

it('[TXT-3] asks which one, when several take text', async () => {
  const { id, agent, person, open, element } = await startStage();
  await agent.open(id, {
    kind: 'plan_review',
    toolName: 'ExitPlanMode',
    plan: '# Plan',
    toolCallId: 'p',
  });
  await agent.open(id, {
    kind: 'form',
    toolName: 'Form',
    toolCallId: 'f',
    title: 'Your name',
    schema: { type: 'object', properties: { name: { type: 'string' } } },
  });
  open();
  await message().fill('Ada');
  await expect.element(page.getByRole('button', { name: 'Send' })).toBeDisabled();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await page.getByLabelText('Answer to').selectOptions('Your name');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect
    .poll(async () => (await person.snapshot(id)).open.map(({ kind }) => kind))
    .toEqual(['plan_review']);
});

it('[UI-8] keeps an unsent message, also when sending fails', async () => {
  const store = memoryStore();
  const { person, open, show, id } = await startStage({ store });
  open();
  await message().fill('half a thought');
  show(null);
  open();
  await expect.element(message()).toHaveValue('half a thought');
  const send = person.sendMessage.bind(person);
  person.sendMessage = () => {
    throw new ClientError({ code: 'unreachable', message: 'no', retry: 'now' });
  };
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(page.getByRole('alert').getByText('cannot be reached')).toBeVisible();
  await expect.element(message()).toHaveValue('half a thought');
  person.sendMessage = send;
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(message()).toHaveValue('');
  expect((await person.snapshot(id)).head).toBe(2);
});

it('[TRN-5] sends a message once, also when the first reply was lost', async () => {
  const { id, person, open } = await startStage();
  const send = person.sendMessage.bind(person);
  const lost = new ClientError({ code: 'unreachable', message: 'no', retry: 'now' });
  let tries = 0;
  person.sendMessage = (...ask) => {
    const stream = send(...ask);
    tries += 1;
    if (tries > 1) return stream;
    const routed = stream.routed.then(() => Promise.reject(lost));
    return { routed, [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator]() };
  };
  open();
  await message().fill('Only once');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(page.getByRole('alert').getByText('cannot be reached')).toBeVisible();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(message()).toHaveValue('');
  expect(tries).toBe(2);
  expect(document.querySelectorAll('.message')).toHaveLength(1);
  expect((await person.snapshot(id)).head).toBe(2);
});

it('[UI-6] gives the focus to a new card, never to its buttons, and back afterwards', async () => {
  const { id, agent, person, open } = await startStage();
  open();
  const field = () => message().element();
  await expect.poll(() => document.activeElement).toBe(field());
  await agent.open(id, APPROVAL);
  const focused = () => document.activeElement?.getAttribute('data-interaction');
  await expect.poll(focused).toBe('c1~1');
  await agent.open(id, { ...APPROVAL, toolCallId: 'c2' });
  await expect.poll(async () => (await person.snapshot(id)).open.length).toBe(2);
  expect(focused()).toBe('c1~1');
  await person.approveTool(id, 'c1');
  await expect.poll(focused).toBe('c2~1');
  await person.denyTool(id, 'c2');
  await expect.poll(() => document.activeElement).toBe(field());
});

it('[UI-6] leaves the focus in a text being written', async () => {
  const { id, agent, open } = await startStage();
  open();
  await message().fill('half a thought');
  await agent.open(id, APPROVAL);
  await expect.element(page.getByRole('button', { name: 'Approve' })).toBeVisible();
  expect(document.activeElement).toBe(message().element());
});

it('[UI-6] leaves Enter to the input method, and makes a line with Shift', async () => {
  const { open } = await startStage();
  open();
  await message().fill('かな');
  const field = message().element();
  field.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }),
  );
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
  await expect.element(message()).toHaveValue('かな\n');
});

it('[UI-13, TXT-4] shows queued messages, and removes one', async () => {
  const { id, agent, person, asked, open, element } = await startStage();
  await agent.open(id, APPROVAL);
  open();
  await expect
    .element(page.getByText('Queued until you decide above. It approves nothing.'))
    .toBeVisible();
  await message().fill('and then the index');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.element(page.getByRole('heading', { name: 'Queued' })).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await page.getByRole('button', { name: 'Remove: and then the index' }).click();
  const [queued] = (await person.snapshot(id)).session.queued;
  expect(asked).toEqual([`remove ${id} ${queued?.id}`]);
});

it('[RUN-6] stops a turn that runs', async () => {
  const { id, agent, person, open } = await startStage();
  await agent.appendEvents(id, [begins()]);
  open();
  await page.getByRole('button', { name: 'Stop the agent' }).click();
  await expect.element(page.getByText('Stopped')).toBeVisible();
  expect((await person.snapshot(id)).session.turn).toBeNull();
});

it('switches the mode, with a sentence on each', async () => {
  const { id, person, open, element } = await startStage();
  open();
  await details().click();
  await expect.element(page.getByText('changes nothing until you approve')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await expect.element(page.getByRole('radio', { name: 'Bypass approvals' })).toBeDisabled();
  await page.getByRole('radio', { name: 'Plan mode' }).click();
  await expect.poll(async () => (await person.snapshot(id)).session.permissionMode).toBe('plan');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.element(page.getByText('ada set the mode to “Plan mode”')).toBeVisible();
});

it('[APR-3] lists the rules of the session, and revokes one', async () => {
  const { id, agent, person, open } = await startStage();
  await agent.open(id, APPROVAL);
  const [asked] = (await person.snapshot(id)).open;
  await person.answer(id, asked?.interactionId ?? '', {
    decision: 'approve',
    offer: 'session',
    everyCommand: true,
  });
  open();
  await expect.element(page.getByText('ada allowed Bash for this session')).toBeVisible();
  await details().click();
  await page.getByRole('button', { name: 'Revoke Bash' }).click();
  await expect.poll(() => person.rules(id)).toEqual([]);
  await expect
    .poll(() => page.getByRole('button', { name: 'Revoke Bash' }).elements())
    .toHaveLength(0);
});

inLongRun(() => {
  it('[RUN-8] shows the files of the session as literal text', async () => {
    const { id, files, open, element } = await startStage();
    const content = '# Plan\u202E\n<b>x</b>';
    files.set(id, [{ path: 'plans/plan.md', size: 20, updatedAt: Date.now(), content }]);
    open();
    await details().click();
    await page.getByRole('button', { name: 'plans/plan.md' }).click();
    await expect.element(page.getByText(String.raw`\u202E`)).toBeVisible();
    await expect.element(page.getByText('<b>x</b>')).toBeVisible();
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
  });
});

inLongRun(() => {
  it('renames, and clears after a warning', async () => {
    const { id, agent, person, open, element } = await startStage();
    await agent.open(id, APPROVAL);
    open();
    await details().click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Another name');
    await page.getByRole('button', { name: 'Rename' }).click();
    await expect
      .element(page.getByRole('heading', { name: 'Another name', includeHidden: true }))
      .toBeInTheDocument();
    await page.getByRole('button', { name: 'Clear context' }).click();
    await expect.element(page.getByText('The agent forgets this conversation')).toBeVisible();
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await person.snapshot(id)).open).toHaveLength(1);
    await page.getByRole('button', { name: 'Clear context' }).click();
    await page
      .getByRole('dialog', { name: 'Clear context?' })
      .getByRole('button', { name: 'Clear context' })
      .click();
    await expect.poll(async () => (await person.snapshot(id)).open).toEqual([]);
  });
});

it('deletes only for an administrator who confirms', async () => {
  const { person, id, deleted, open } = await startStage({ person: personWith('admin') });
  open();
  await details().click();
  await page.getByRole('button', { name: 'Delete session' }).click();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await expect.poll(() => deleted).toEqual([id]);
  await expect(person.snapshot(id)).rejects.toThrow();
});

it('[UI-12] is read-only with a read-only link', async () => {
  const { id, agent, open, element } = await startStage({ person: personWith('read') });
  await agent.open(id, APPROVAL);
  open();
  await expect.element(page.getByText('View only: you can’t send messages here.')).toBeVisible();
  await details().click();
  await expect.element(page.getByRole('radio', { name: 'Plan mode' })).toBeDisabled();
  expect(page.getByRole('button', { name: 'Clear context' }).elements()).toHaveLength(0);
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

inLongRun(() => {
  it('[UI-8] says that the server is slow, in the banner and at the message', async () => {
    const { id, person, open, element } = await startStage();
    const send = person.sendMessage.bind(person);
    const { promise, resolve } = Promise.withResolvers<void>();
    person.sendMessage = (...ask) => {
      const routed = promise.then(() => send(...ask).routed);
      return { routed, async *[Symbol.asyncIterator]() {} };
    };
    open();
    await message().fill('Hello there');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.element(page.getByText('Still sending…')).toBeVisible();
    await expect.element(page.getByText('The server takes long to answer.')).toBeVisible();
    expect(await axeProblems(element, { isPage: true })).toEqual([]);
    resolve();
    await expect.poll(() => page.getByText('Still sending…').query()).toBeNull();
    await expect.poll(() => page.getByText('The server takes long').query()).toBeNull();
    expect((await person.snapshot(id)).head).toBe(2);
  });
});

it('[UI-8] reports a lost connection, being offline and a closed session, and hides no content', async () => {
  const { id, person, wire, open, element } = await startStage();
  await person.sendMessage(id, 'Still here').routed;
  open();
  await expect.element(page.getByText('Still here')).toBeVisible();
  wire.status({ type: 'waiting', retryAt: Date.now() + 9_000, attempt: 3 });
  await expect.element(page.getByText('The connection was lost.')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  wire.status({ type: 'paused', reason: 'offline' });
  await expect.element(page.getByText('You are offline.')).toBeVisible();
  await expect.element(page.getByText('Still here')).toBeVisible();
  wire.status({ type: 'live' });
  await expect.poll(() => page.getByText('You are offline.').elements()).toHaveLength(0);
});

it('says so when a session does not exist', async () => {
  const { id, owner, open, element } = await startStage();
  open();
  await expect.element(message()).toBeVisible();
  await owner.deleteSession(id);
  await expect.element(page.getByRole('heading', { name: 'Session not found' })).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});
