/** Files in messages and answers, with the policy of the served page: chosen, kept, sent, shown, opened and saved. */
import { crc32, deflateSync } from 'node:zlib';
import { expect } from 'vitest';
import { newPerson, PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

/** A picture that a browser decodes: stripes, so that a wrong size would be seen. */
function pictureOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const line = (y: number) =>
    Buffer.from([
      0,
      ...Array.from({ length: width }, (_, x) => [(x * 3) % 256, y % 256, 120]).flat(),
    ]);
  const lines = Buffer.concat(Array.from({ length: height }, (_, y) => line(y)));
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([mark, ...parts]);
}

const SCREEN = { name: 'The broken page.png', mimeType: 'image/png', buffer: pictureOf(640, 400) };
const LOG = {
  name: 'build.log',
  mimeType: 'text/plain',
  buffer: Buffer.from('error: no space left'),
};

story(
  '[ATT-4, ATT-7] a person shows the agent a picture, and saves a file again',
  async ({ server, agent }) => {
    const session = await agent.opensSession('Fix the page');
    const person = await newPerson();
    const { page } = person;
    await person.opens(`${server.link}&session=${session}`);
    await person.attaches('Attach files', [SCREEN, LOG]);
    await person.sees('The broken page.png');
    await checkPage(person, 'files that are chosen');
    await person.reloads();
    await person.sees('build.log');
    await person.says('What is wrong here?');
    const small = page.getByRole('button', { name: /^Open picture The broken page.png/ });
    await person.sees(small.locator('img'));
    await checkPage(person, 'a message with files');
    await person.presses(small);
    const sheet = page.getByRole('dialog', { name: 'The broken page.png' });
    const shown = sheet.getByRole('img');
    await person.sees(shown);
    await expect.poll(() => shown.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(640);
    await checkPage(person, 'a picture, larger');
    await page.keyboard.press('Escape');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      person.presses(/^Save build.log/),
    ]);
    expect(saved.suggestedFilename()).toBe('build.log');
    await leavesWithoutProblems(person);
  },
);

story(
  '[ATT-5, ATT-7] a person denies on a phone with a picture, which the agent gets',
  async ({ server, agent }) => {
    const session = await agent.opensSession('Deploy the page');
    const asked = await agent.asks(session, {
      kind: 'approval',
      toolName: 'Bash',
      toolCallId: 'deploy',
      input: { command: 'make deploy' },
    });
    const person = await newPerson(PHONE);
    const { page } = person;
    await person.opens(`${server.link}&session=${session}`);
    await person.attaches('Attach files…', SCREEN);
    await person.sees('The broken page.png');
    await checkPage(person, 'an answer with a file on a phone');
    await person.presses(/^Deny/);
    await person.writes('Reason (optional, shown to the agent)', 'Look at the picture');
    await person.presses('Deny', page.locator('.reason'));
    const { outcome, attachments, reply } = await agent.receivesOutcome(session, asked);
    expect([outcome, attachments?.map(({ width }) => width)]).toEqual(['denied', [640]]);
    expect(reply?.message).toContain('The broken page.png (image/png');
    await person.sees(page.getByRole('button', { name: /^Open picture/ }).locator('img'));
    await checkPage(person, 'a settled answer with a file on a phone');
    await leavesWithoutProblems(person);
  },
);
