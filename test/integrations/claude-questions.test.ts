/** AskUserQuestion, in the form in which the tool of Claude Code finds its answers. */
import { describe, expect, it } from 'vitest';
import { createCanUseTool } from '../../src/integrations/claude/index.ts';
import type { JsonObject } from '../../src/protocol/types.ts';
import { pair, SESSION } from '../support/agent.ts';

const option = (label: string, more: object = {}) => ({
  label,
  description: `About ${label}`,
  ...more,
});
const DATABASE = {
  question: 'Which database?',
  header: 'Database',
  options: [option('Postgres'), option('DO', { preview: '<b>DO</b>' })],
  multiSelect: false,
};
const FEATURES = {
  question: 'Which features?',
  header: 'Features',
  options: [option('A'), option('B, with "quotes"'), option('C, D'), option('say "hi"')],
  multiSelect: true,
};

async function answered(questions: readonly object[], answer: JsonObject) {
  const { agent, person, onlyOpen: one } = pair();
  const canUseTool = createCanUseTool({ client: agent });
  const input = { questions, metadata: { source: 'model' } };
  const asked = canUseTool('AskUserQuestion', input, { toolUseID: 'toolu_1' });
  const interaction = await one();
  await person.answer(SESSION, interaction.interactionId, answer);
  return { result: await asked, interaction };
}

describe('questions of Claude', () => {
  it('[QST-11, GATE-2] are answered by their words, as lists of JSON', async () => {
    const { result } = await answered([DATABASE, FEATURES], {
      answers: { '0': 'DO', '1': ['A', 'B, with "quotes"', 'C, D', 'say "hi"', 'my own'] },
    });
    expect(result).toEqual({
      behavior: 'allow',
      updatedInput: {
        questions: [DATABASE, FEATURES],
        metadata: { source: 'model' },
        answers: {
          'Which database?': '["DO"]',
          'Which features?':
            '["A","B, with \\"quotes\\"","C, D","say \\"hi\\"",{"ownWords":"my own"}]',
        },
        annotations: { 'Which database?': { preview: '<b>DO</b>' } },
      },
    });
  });

  it("[QST-11] mark a person's own words", async () => {
    const { result } = await answered([DATABASE], { answers: { '0': 'SQLite, "in" memory' } });
    expect(result).toMatchObject({
      updatedInput: { answers: { 'Which database?': '[{"ownWords":"SQLite, \\"in\\" memory"}]' } },
    });
    expect(result).not.toHaveProperty('updatedInput.annotations');
  });

  it('[QST-1] are cut for the card and answered under the whole words', async () => {
    const question = `${'Long '.repeat(600)}?`;
    const long = { ...DATABASE, question, header: 'Authentication', unknown: 1 };
    const padded = {
      ...long,
      question: 'Padded?',
      header: ' ',
      options: [option(' X '), option('Y')],
    };
    const { result, interaction } = await answered([long, padded], {
      answers: { '0': 'Postgres', '1': 'X' },
    });
    expect(interaction.request).toMatchObject({
      questions: [{ header: 'Authenticat…' }, { header: 'Q2' }],
    });
    expect(result).toMatchObject({
      updatedInput: { answers: { [question]: '["Postgres"]', 'Padded?': '[" X "]' } },
    });
  });

  it('[INT-15, GATE-2] that are declined are a denial with the reason', async () => {
    const { result } = await answered([DATABASE], { decline: true, reason: 'ask Mia' });
    expect(result).toMatchObject({
      behavior: 'deny',
      message: 'User declined to answer. Reason: ask Mia',
    });
  });

  it.each([
    ['no list', {}],
    ['an empty list', { questions: [] }],
    ['something else in it', { questions: ['Which?'] }],
    ['an option without a label', { questions: [{ ...DATABASE, options: [{}] }] }],
  ])('[GATE-4] that are none are denied: %s', async (_name, input) => {
    const { agent } = pair();
    const canUseTool = createCanUseTool({ client: agent });
    expect(await canUseTool('AskUserQuestion', input)).toMatchObject({ behavior: 'deny' });
  });

  it('[GATE-4] that no card can show are denied', async () => {
    const { agent } = pair();
    const canUseTool = createCanUseTool({ client: agent, onDenied: () => undefined });
    const questions = [{ ...DATABASE, options: [option('only one')] }];
    expect(await canUseTool('AskUserQuestion', { questions })).toMatchObject({ behavior: 'deny' });
  });
});
