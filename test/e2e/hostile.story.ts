/**
 * Content of an agent that is meant to harm its viewer.
 *
 * A bug looks like a script that runs, an image that reports its viewer, or a command that reads differently from
 * what runs. Every window fails its story on a request to another origin.
 */
import { expect } from 'vitest';
import { newPerson } from './stage/browser.ts';
import { checkPage } from './stage/check-page.ts';
import { leavesWithoutProblems, story } from './stage/story.ts';

const BEACON = 'https://beacon.example/seen.png';
const SCRIPT = `<script>document.title='owned'</script><img src=x onerror="top.owned=1">`;
const INPUT = {
  command: `rm -rf ~ \u202etxt.gnp\u202c\u200b ${SCRIPT}`,
  html: `<iframe src="${BEACON}"></iframe>`,
  long: 'x'.repeat(100_000),
};
const PLAN = [
  '# Plan',
  `![a picture](${BEACON})`,
  `[a link](javascript:document.title='owned')`,
  `[another](https://beacon.example/click "innocent")`,
  SCRIPT,
  `<style>body{background:url(${BEACON})}</style>`,
  `<form action="https://beacon.example"><input name=a autofocus></form>`,
  `A word that \u202edaer eb ot si\u202c backwards.`,
  '```html\n<script>1</script>\n```',
].join('\n\n');

story('hostile content runs nothing and fetches nothing', async ({ agent }) => {
  const person = await newPerson();
  const session = await agent.opensSession(`${SCRIPT} \u202eeltit`);
  await agent.asks(session, {
    kind: 'approval',
    toolName: 'Bash',
    input: INPUT,
    description: PLAN,
  });
  await agent.asks(session, { kind: 'plan_review', toolName: 'ExitPlanMode', plan: PLAN });
  await agent.appends(session, [
    { type: 'turn_started', turnId: 't' },
    { type: 'assistant_text', turnId: 't', payload: { text: PLAN } },
    {
      type: 'tool_call',
      turnId: 't',
      toolCallId: 'c',
      payload: { toolName: SCRIPT, input: INPUT },
    },
    { type: 'tool_result', turnId: 't', toolCallId: 'c', payload: { output: PLAN } },
  ]);
  await person.opens(`${await agent.linkFor('ada')}&session=${session}`);
  const card = person.card(/^Bash/);
  await person.sees(card.getByText(String.raw`\u202E`).first());
  await person.sees(card.getByText(String.raw`\u200B`).first());
  await person.sees(
    person.card('Review the plan').getByRole('heading', { name: 'Plan', exact: true }),
  );
  await person.sees('Review the full input before approving');
  expect(await card.getByRole('button', { name: 'Approve', exact: true }).isEnabled()).toBe(false);
  await person.presses(card.getByRole('button', { name: /^Show all/ }).first());
  await person.unfolds(person.page.locator('.tool summary'));
  await checkPage(person, 'hostile text');
  expect(
    await person.page
      .locator('main img, main iframe, main form:not(.composer), main style')
      .count(),
  ).toBe(0);
  expect(await person.page.locator('main a[href^="javascript"]').count()).toBe(0);
  expect(await person.page.title()).not.toContain('owned');
  await person.reads(card);
  await person.presses('Approve', card);
  await person.sees(card.getByText('by you'));
  await leavesWithoutProblems(person);
});

story(
  'hostile content runs nothing in the inbox and on a small phone',
  async ({ server, agent }) => {
    const person = await newPerson({ viewport: { width: 320, height: 640 } });
    const session = await agent.opensSession(`${SCRIPT} ${'w'.repeat(90)}`);
    await agent.asks(session, {
      kind: 'approval',
      toolName: 'Bash',
      input: { command: INPUT.command },
      description: PLAN,
    });
    const token = new URL(await agent.linkFor('ada')).hash;
    await person.opens(`${server.url}/inbox${token}`);
    await person.sees(String.raw`\u202E`);
    await checkPage(person, 'hostile text in the inbox');
    await leavesWithoutProblems(person);
  },
);
