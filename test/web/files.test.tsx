/**
 * Files in the chat: chosen, dropped and pasted, sent with messages and answers, and shown. A bug here looks like a message
 * that went without its picture, or a page of a stranger that is drawn as one.
 */
import { afterEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ClientError } from '../../src/client/errors.ts';
import { axeProblems } from '../support/web/axe.ts';
import { memoryStore } from '../support/web/memory-store.ts';
import { type Stage, startStage } from '../support/web/stage.tsx';

afterEach(() => void vi.restoreAllMocks());

const PIXEL = Uint8Array.from(
  atob(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  (char) => char.charCodeAt(0),
);
const picture = (name = 'screen.png') => new File([PIXEL], name, { type: 'image/png' });
const note = (text = 'Mind the step', name = 'note.txt') =>
  new File([text], name, { type: 'text/plain' });
const message = () => page.getByRole('textbox', { name: 'Message' });
const chosen = () => page.getByRole('list', { name: 'Chosen files' });
const alert = (text: string | RegExp) => page.getByRole('alert').getByText(text);

async function choose({ element }: Stage, files: readonly File[], within = 'form.composer') {
  await expect.poll(() => element.querySelector(`${within} input[type=file]`)).not.toBeNull();
  const input = element.querySelector(`${within} input[type=file]`) as HTMLInputElement;
  const data = new DataTransfer();
  for (const file of files) data.items.add(file);
  input.files = data.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

async function lastMessage({ person, id }: Stage) {
  const events: { type: string; payload: unknown }[] = [];
  const subscription = person.subscribe(id, { events: (more) => void events.push(...more) });
  await expect.poll(() => events.some(({ type }) => type === 'user_message')).toBe(true);
  subscription.close();
  return events.findLast(({ type }) => type === 'user_message')?.payload;
}

it('[ATT-4, ATT-7, UI-7] sends files with a message, shows them small, and opens a picture larger', async () => {
  const stage = await startStage();
  const { element, open } = stage;
  open();
  await choose(stage, [picture(), note()]);
  await expect.element(chosen().getByText('screen.png')).toBeVisible();
  await expect.element(chosen().getByText('13 B')).toBeVisible();
  await expect.poll(() => element.querySelector('.file-thumb img')).not.toBeNull();
  await expect.element(page.getByText('The files are ready to send.')).toBeInTheDocument();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await message().fill('What is this?');
  await userEvent.keyboard('{Enter}');
  await expect.element(message()).toHaveValue('');
  await expect.element(chosen()).not.toBeInTheDocument();
  expect(await lastMessage(stage)).toMatchObject({
    text: 'What is this?',
    attachments: [
      { name: 'screen.png', width: 1 },
      { name: 'note.txt', bytes: 13 },
    ],
  });
  const small = page.getByRole('button', { name: 'Open picture screen.png, 70 B' });
  await expect.element(small).toBeVisible();
  await expect
    .poll(() => element.querySelector('.picture img')?.getAttribute('src'))
    .toMatch(/^blob:/);
  await expect.element(page.getByRole('button', { name: 'Save note.txt 13 B' })).toBeVisible();
  await small.click();
  const sheet = page.getByRole('dialog', { name: 'screen.png' });
  await expect.element(sheet.getByRole('img', { name: 'screen.png' })).toBeVisible();
  await expect.element(sheet.getByRole('button', { name: /^Save screen.png/ })).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(small).toHaveFocus();
});

it('[ATT-7] sends files without words by their names, and removes one before', async () => {
  const stage = await startStage();
  stage.open();
  await choose(stage, [picture(), note()]);
  await page.getByRole('button', { name: 'Remove: note.txt' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  expect(await lastMessage(stage)).toMatchObject({
    text: 'screen.png',
    attachments: [{ name: 'screen.png' }],
  });
});

it('[ATT-1, ATT-7] says what cannot be attached, and keeps the text and the rest', async () => {
  const stage = await startStage();
  stage.open();
  await message().fill('Look');
  const many = Array.from({ length: 11 }, (_, at) => note(`${at}`, `${at}.txt`));
  await choose(stage, [note('', 'empty.txt'), new File([new Uint8Array(5_242_881)], 'big.bin')]);
  await expect.element(alert(/empty.txt.*is empty.*big.bin.*larger than 5 MB/)).toBeVisible();
  await expect.element(message()).toHaveValue('Look');
  await choose(stage, many);
  await expect.element(alert(/At most 10 files at once; “10.txt” was left out/)).toBeVisible();
  expect(stage.element.querySelectorAll('.file-item')).toHaveLength(10);
});

it('[ATT-7, UI-8] keeps text and file when a file cannot be sent, and tries it again', async () => {
  const stage = await startStage();
  const attach = stage.person.attach;
  const isFull = new ClientError({
    code: 'limit_reached',
    message: 'This session has no room for more files.',
    retry: 'later',
  });
  Object.assign(stage.person, { attach: () => Promise.reject(isFull) });
  stage.open();
  await message().fill('Look');
  await choose(stage, [picture()]);
  await expect.element(chosen().getByText('This session has no room')).toBeVisible();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.element(alert(/A file could not be sent/)).toBeVisible();
  await expect.element(message()).toHaveValue('Look');
  Object.assign(stage.person, { attach });
  await page.getByRole('button', { name: 'Try again: screen.png' }).click();
  await expect.element(page.getByText('The files are ready to send.')).toBeInTheDocument();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  expect(await lastMessage(stage)).toMatchObject({ attachments: [{ name: 'screen.png' }] });
});

it('[ATT-7, UI-8] keeps what is written and chosen while a message is on its way', async () => {
  const stage = await startStage();
  const { person } = stage;
  const send = person.sendMessage.bind(person);
  const mayGo = Promise.withResolvers<void>();
  const texts: string[] = [];
  Object.assign(person, {
    sendMessage: (...sent: Parameters<typeof send>) => {
      texts.push(sent[1]);
      return { routed: mayGo.promise.then(() => send(...sent).routed) };
    },
  });
  stage.open();
  await choose(stage, [picture()]);
  await expect.element(page.getByText('The files are ready to send.')).toBeInTheDocument();
  await message().fill('First.');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => texts).toEqual(['First.']);
  await userEvent.keyboard('Second.');
  await choose(stage, [note()]);
  await expect.element(chosen().getByText('note.txt')).toBeVisible();
  mayGo.resolve();
  await expect.element(chosen().getByText('screen.png')).not.toBeInTheDocument();
  await expect.element(chosen().getByText('note.txt')).toBeVisible();
  await expect.element(message()).toHaveValue('Second.');
  expect(await lastMessage(stage)).toMatchObject({ text: 'First.', attachments: [{}] });
});

it('[ATT-7] says how much of a file is sent, and stops sending it', async () => {
  const stage = await startStage();
  let stopped = false;
  const attach: typeof stage.person.attach = (_session, _file, { signal, wrapFetch } = {}) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        stopped = true;
        reject(signal.reason);
      });
      const sending = wrapFetch?.(fetch)(location.href, {
        method: 'POST',
        body: 'x',
        signal: signal ?? null,
      });
      sending?.catch(() => undefined);
    });
  Object.assign(stage.person, { attach });
  const upload = new EventTarget();
  vi.spyOn(XMLHttpRequest.prototype, 'upload', 'get').mockReturnValue(
    upload as XMLHttpRequestUpload,
  );
  vi.spyOn(XMLHttpRequest.prototype, 'send').mockReturnValue();
  stage.open();
  await choose(stage, [note('0123456789')]);
  await expect.element(chosen().getByText('0% of 10 B')).toBeVisible();
  upload.dispatchEvent(new ProgressEvent('progress', { loaded: 4 }));
  await expect.element(chosen().getByText('40% of 10 B')).toBeVisible();
  expect(await axeProblems(stage.element, { isPage: true })).toEqual([]);
  await page.getByRole('button', { name: 'Stop sending note.txt' }).click();
  await expect.element(chosen()).not.toBeInTheDocument();
  expect(stopped).toBe(true);
});

it('[ATT-7, UI-8] still has the files after a reload', async () => {
  const store = memoryStore();
  const stage = await startStage({ store });
  stage.open();
  await choose(stage, [picture()]);
  await expect.element(page.getByText('The files are ready to send.')).toBeInTheDocument();
  stage.show(null);
  stage.open();
  await expect.element(chosen().getByText('screen.png')).toBeVisible();
  await expect.poll(() => stage.element.querySelector('.file-thumb img')).not.toBeNull();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  expect(await lastMessage(stage)).toMatchObject({ attachments: [{ name: 'screen.png' }] });
});

function carrying(files: readonly File[], text?: string): DataTransfer {
  const data = new DataTransfer();
  for (const file of files) data.items.add(file);
  if (text !== undefined) data.setData('text/plain', text);
  return data;
}

it('[ATT-7] takes what is dropped on the conversation and pasted into the field', async () => {
  const stage = await startStage();
  stage.open();
  await expect.element(page.getByRole('button', { name: 'Attach files' })).toBeVisible();
  const main = stage.element.querySelector('main') as HTMLElement;
  const dataTransfer = carrying([picture()]);
  const isTaken = () =>
    !main.dispatchEvent(
      new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer }),
    );
  await expect.poll(isTaken).toBe(true);
  expect(main.classList.contains('takes-files')).toBe(true);
  const drop = { bubbles: true, cancelable: true, dataTransfer: carrying([picture()]) };
  main.dispatchEvent(new DragEvent('drop', drop));
  await expect.element(chosen().getByText('screen.png')).toBeVisible();
  expect(main.classList.contains('takes-files')).toBe(false);
  const paste = (clipboardData: DataTransfer) => {
    const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData });
    message().element().dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(paste(carrying([note('a', 'pasted.txt')]))).toBe(true);
  await expect.element(chosen().getByText('pasted.txt')).toBeVisible();
  expect(paste(carrying([picture('table.png')], 'A1\tB1'))).toBe(false);
  expect(stage.element.querySelectorAll('.file-item')).toHaveLength(2);
});

it('[ATT-3, ATT-7] draws nothing that only calls itself a picture, and shows a name without tricks', async () => {
  const stage = await startStage();
  const { id, person, open, element } = stage;
  const page1 = new TextEncoder().encode(
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  );
  const files = [
    await person.attach(id, { name: 'a.png', mediaType: 'image/png', bytes: page1 }),
    await person.attach(id, { name: 'b.svg', mediaType: 'image/svg+xml', bytes: page1 }),
    await person.attach(id, { name: 'broken.png', bytes: PIXEL.slice(0, 40) }),
  ];
  const attachments = files.map(({ attachmentId }) => attachmentId);
  await person.sendMessage(id, 'Look', { attachments }).routed;
  open();
  for (const name of ['a.png', 'b.svg', 'broken.png']) {
    await expect
      .element(page.getByRole('button', { name: new RegExp(`Save ${name}`) }))
      .toBeVisible();
  }
  expect(element.querySelectorAll('img')).toHaveLength(0);
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

const CALL = {
  kind: 'approval',
  toolName: 'Bash',
  toolCallId: 'c1',
  input: { command: 'ls' },
};

it('[ATT-5, UI-8] sends files with the answer on a card, after the card and a reload', async () => {
  const store = memoryStore();
  const stage = await startStage({ store });
  const { id, agent, person, open, element } = stage;
  await agent.open(id, {
    ...CALL,
    kind: 'plan_review',
    toolName: 'Plan',
    plan: 'Do it',
    input: undefined,
  });
  open();
  await choose(stage, [picture('plan.png')], '.card');
  const card = page.getByRole('article');
  await expect.element(card.getByText('plan.png')).toBeVisible();
  await expect.element(card.getByText('The files are ready to send.')).toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Attach files…' })).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  const drop = { bubbles: true, cancelable: true, dataTransfer: carrying([note()]) };
  element.querySelector('article')?.dispatchEvent(new DragEvent('drop', drop));
  await expect.element(card.getByText('note.txt')).toBeVisible();
  expect(element.querySelectorAll('form.composer .file-item')).toHaveLength(0);
  await expect.element(card.getByText('The files are ready to send.')).toBeInTheDocument();
  await person.answer(id, 'c1~1', { decision: 'adjust' });
  const before = await person.interaction(id, 'c1~1');
  expect(before.attachments).toBeUndefined();
  await message().fill('Shorter');
  await userEvent.keyboard('{Enter}');
  await expect.poll(async () => (await person.interaction(id, 'c1~1')).status).toBe('settled');
});

it('[ATT-5] sends files with a denial, and shows them on the card afterwards', async () => {
  const stage = await startStage();
  const { id, agent, person, open } = stage;
  await agent.open(id, CALL);
  open();
  await choose(stage, [picture()], '.card');
  await expect.element(page.getByText('The files are ready to send.')).toBeInTheDocument();
  await page.getByRole('button', { name: /^Deny/ }).click();
  await page.getByRole('textbox', { name: /^Reason/ }).fill('See the picture');
  await userEvent.keyboard('{Enter}');
  await expect.poll(async () => (await person.interaction(id, 'c1~1')).status).toBe('settled');
  expect(await agent.interaction(id, 'c1~1')).toMatchObject({
    outcome: 'denied',
    attachments: [{ name: 'screen.png' }],
    reply: { message: expect.stringContaining('screen.png (image/png, 70 B)') },
  });
  await expect
    .element(page.getByRole('button', { name: 'Open picture screen.png, 70 B' }))
    .toBeVisible();
});
