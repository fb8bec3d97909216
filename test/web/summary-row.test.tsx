/** A summarized conversation on the screen: what the agent still knows, and the way back. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { axeProblems } from '../support/web/axe.ts';
import { personWith } from '../support/web/person.ts';
import { startStage } from '../support/web/stage.tsx';
import { ScriptedModel, textOutcome, USAGE } from '../support/scripted-model.ts';

const WORDS = 'word '.repeat(500);

/** Three turns, the last of which needs a summary of those before it. */
async function summarized(...scopes: readonly string[]) {
  const port = new ScriptedModel();
  const stage = await startStage({
    model: { port, name: 'scripted' },
    agent: { contextTokens: 4_700 },
    person: personWith(...(scopes.length > 0 ? scopes : ['read', 'answer', 'send'])),
  });
  const full = { ...textOutcome('Well.'), usage: { ...USAGE, inputTokens: 3_900 } };
  const say = async (text: string) => {
    for await (const event of stage.owner.sendMessage(stage.id, text)) {
      if (event.type === 'done') return;
    }
  };
  port.will(
    textOutcome('Well.'),
    full,
    textOutcome('It is about <b>words</b>.'),
    textOutcome('Go.'),
  );
  for (const text of [`First ${WORDS}`, `Second ${WORDS}`, 'Third']) await say(text);
  return { ...stage, say, port };
}

const summaryLine = () => page.getByText(/Conversation summarized: 3,9\d\d → \d+ tokens/);
const undo = () => page.getByRole('button', { name: 'Use the whole conversation again' });

it('[COMPACT-8] shows what was summarized, and takes it back', async () => {
  const { id, open, element, owner, say, port } = await summarized();
  open();
  await expect.element(summaryLine()).toBeVisible();
  await page.getByText('Show the summary').click();
  await expect.element(page.getByText('It is about <b>words</b>.')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await undo().click();
  await expect.element(page.getByText(/took a summary back/)).toBeVisible();
  await expect.element(undo()).not.toBeInTheDocument();
  expect((await owner.snapshot(id)).session.summaries).toEqual([]);
  port.will(textOutcome('Well.'));
  await say('Fourth');
  expect(JSON.stringify(port.requests.at(-1)?.messages)).toContain('First word');
});

it('[COMPACT-8] offers no way back to a reader', async () => {
  const reader = await summarized('read');
  reader.open();
  await expect.element(summaryLine()).toBeVisible();
  await expect.element(undo()).not.toBeInTheDocument();
});
