/**
 * A person reads what a tool would do, corrects it, and comments on a plan.
 *
 * A bug looks like an edit that is approved with its bad line folded away, or a correction that is not what runs.
 */
import { expect } from 'vitest';
import { newPerson, PHONE } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const BEFORE = `import { readFile } from 'node:fs/promises';

// Loads the settings of the payment service.
export async function loadSettings(path: string): Promise<Settings> {
  const text = await readFile(path, 'utf8');
  const settings = JSON.parse(text) as Settings;
  if (settings.limit > 1000) {
    throw new Error('The limit is too high');
  }
  return settings;
}
`;
const EDIT = {
  kind: 'approval',
  toolName: 'Edit',
  allowEdit: true,
  input: {
    file_path: 'src/settings.ts',
    old_string: BEFORE,
    new_string: BEFORE.replace('> 1000', '> 9000'),
    replace_all: false,
  },
};
const PLAN = [
  '# Move the service',
  'Three steps, each of which can be undone.',
  '## Copy',
  '1. Copy the data at night',
  '2. Compare both sides',
  '## Switch',
  'Point the clients to the new address.',
  '## Clean up',
  'Delete the old data.',
].join('\n\n');

for (const [size, options] of [
  ['on a desktop', {}],
  ['on a phone', PHONE],
] as const) {
  story(`an edit is read as a diff and corrected by its fields, ${size}`, async ({ agent }) => {
    const person = await newPerson(options);
    const session = await agent.opensSession('Settings');
    await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
    await person.sees('To the agent');
    const id = await agent.asks(session, EDIT);
    const card = person.card(/^Edit/);
    await person.sees(card.locator('.line.gone mark', { hasText: '1000' }));
    await person.sees(card.locator('.line.new mark', { hasText: '9000' }));
    await person.sees(card.getByText('Lines counted from the start of this part'));
    await checkPage(person, `an edit as a diff ${size}`);
    await person.presses('Show raw JSON', card);
    await person.sees(card.getByText('"file_path"'));
    await checkPage(person, `an edit as JSON ${size}`);
    await person.presses('Show as fields', card);
    await person.reads(card);
    await person.presses('Edit', card);
    await person.writes('new_string', BEFORE.replace('> 1000', '> 2000'), card);
    await person.sees(card.locator('.input-changes mark', { hasText: '2000' }));
    await checkPage(person, `an edit that is corrected ${size}`);
    await person.sees(person.working('Approve with changes'));
    await person.presses('Approve with changes', card);
    await person.sees(card.getByText('by you'));
    const { updatedInput } = await agent.receivesOutcome(session, id);
    expect(updatedInput).toMatchObject({ new_string: BEFORE.replace('> 1000', '> 2000') });
    await leavesWithoutProblems(person);
  });

  story(`a line of an edit is commented on, and the denial says it, ${size}`, async ({ agent }) => {
    const person = await newPerson(options);
    const session = await agent.opensSession('Limits');
    await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
    await person.sees('To the agent');
    const id = await agent.asks(session, EDIT);
    const card = person.card(/^Edit/);
    await person.presses('Comment on a line…', card);
    await person.selects('Line', '+ if (settings.limit > 9000) {');
    await person.writes('Your comment', 'Who needs that many?');
    await checkPage(person, `a comment on a line ${size}`);
    await person.presses('Add to the reason');
    await person.sees(card.getByRole('textbox', { name: /^Reason/ }));
    await checkPage(person, `a denial with a comment ${size}`);
    await person.presses('Deny', card);
    const { outcome, reason } = await agent.receivesOutcome(session, id);
    expect(outcome).toBe('denied');
    expect(reason).toBe('> src/settings.ts: if (settings.limit > 9000) {\nWho needs that many?');
    await leavesWithoutProblems(person);
  });

  story(`a plan is commented on where it is wrong, ${size}`, async ({ agent }) => {
    const person = await newPerson(options);
    const session = await agent.opensSession('Move');
    await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
    await person.sees('To the agent');
    const id = await agent.asks(session, { kind: 'plan_review', toolName: 'Plan', plan: PLAN });
    const card = person.card('Review the plan');
    await person.unfolds('4 headings', card);
    await person.presses('Clean up', card);
    await person.seesInWindow(card.getByRole('heading', { name: 'Clean up' }));
    await person.presses('Comment on “Delete the old data.”', card);
    await person.page.keyboard.type('Not before the audit.');
    await checkPage(person, `a comment on a plan ${size}`);
    await person.presses('Save the comment');
    await person.sees(card.getByText('Not before the audit.'));
    await checkPage(person, `a plan with a comment ${size}`);
    await person.reloads();
    await person.sees(card.getByText('Not before the audit.'));
    await person.presses('Send feedback', card);
    const { reason } = await agent.receivesOutcome(session, id);
    expect(reason).toBe('> Line 17: Delete the old data.\nNot before the audit.');
    await leavesWithoutProblems(person);
  });
}

story(
  'a diff of thousands of lines is read to its end, and no jump skips a part',
  async ({ agent }) => {
    const person = await newPerson();
    const session = await agent.opensSession('Large');
    await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
    await person.sees('To the agent');
    const lines = Array.from({ length: 2_000 }, (_, at) => `const value${at} = ${at};`);
    const id = await agent.asks(session, {
      ...EDIT,
      input: {
        file_path: 'src/values.ts',
        old_string: lines.join('\n'),
        new_string: lines.map((line, at) => (at % 10 < 3 ? `${line} // x` : line)).join('\n'),
      },
    });
    const card = person.card(/^Edit/);
    await person.presses(/^Show all/, card);
    const region = person.page.getByRole('region', { name: 'Conversation' });
    await person.scrolls(region, 'to the end');
    await person.sees(card.getByRole('button', { name: /^Review the full/ }));
    await person.pressesHard(card.getByRole('button', { name: 'Approve', exact: true }));
    expect(await agent.isOpen(session, id)).toBe(true);
    // No frame of the whole way takes long.
    const longest = await region.evaluate(async (element) => {
      let most = 0;
      const observer = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) most = Math.max(most, duration);
      });
      observer.observe({ entryTypes: ['longtask'] });
      element.scrollTop = 0;
      while (element.scrollTop + element.clientHeight < element.scrollHeight - 2) {
        element.scrollTop += element.clientHeight * 0.8;
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 20)));
      }
      observer.disconnect();
      return most;
    });
    console.info(`longest task while scrolling a diff: ${Math.round(longest)} ms`);
    await person.reads(card);
    await person.sees(person.working('Approve'));
    await leavesWithoutProblems(person);
  },
);

story(
  'code is colored, its risk named, and the words of the agent are its own',
  async ({ agent }) => {
    const person = await newPerson();
    await person.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const clipboard = () => person.page.evaluate(() => navigator.clipboard.readText());
    const session = await agent.opensSession('Colors');
    const ask = async (toolName: string, input: object, description?: string) => {
      const request = { kind: 'approval', toolName, input: { ...input } };
      return agent.asks(session, { ...request, ...(description !== undefined && { description }) });
    };
    const written = await ask(
      'Write',
      { file_path: 'src/new.ts', content: BEFORE },
      'Only a file.',
    );
    const command = await ask('Bash', { command: 'make deploy ENV=staging', cwd: '/srv/app' });
    const { origin, hash } = new URL(await agent.linkFor('ada'));
    await person.opens(
      `${origin}/inbox${hash}&session=${session}&interaction=${written}&find=Colors`,
    );
    const card = person.card(/^Write/);
    await person.sees(card.locator('.code .of-keyword', { hasText: 'import' }));
    await person.sees(card.locator('.code .of-string', { hasText: 'utf8' }));
    await person.sees(card.getByRole('figure').filter({ hasText: 'not verified' }));
    await person.sees(card.getByText('Only a file.'));
    const rows = person.page.locator('.inbox-line');
    await person.sees(rows.filter({ hasText: 'Write' }).getByText('Edits files'));
    await person.sees(rows.filter({ hasText: 'ENV=staging' }).getByText('Runs commands'));
    await checkPage(person, 'a new file in the inbox');
    await person.follows(rows.filter({ hasText: 'ENV=staging' }));
    await person.presses('Copy the command', person.card(/^Bash/));
    await expect.poll(clipboard).toBe('make deploy ENV=staging');
    await person.presses('Copy link to this request');
    await expect.poll(clipboard).toMatch(/^http/);
    const copied = new URL(await clipboard());
    expect(copied.origin).toBe(origin);
    expect(new URLSearchParams(copied.hash.slice(1)).get('interaction')).toBe(command);
    await leavesWithoutProblems(person);
  },
);
