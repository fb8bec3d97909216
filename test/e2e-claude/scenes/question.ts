/** Questions that the model asks, and the answers that it receives. */
import { call, checks, done, kinds, keepLastRequest, type Scene } from './scene.ts';

const DATABASE = {
  question: 'Which database?',
  header: 'Database',
  options: [
    { label: 'Postgres', description: 'Known' },
    { label: 'DO', description: 'Near' },
  ],
  multiSelect: false,
};
const FEATURES = {
  question: 'Which features?',
  header: 'Features',
  options: [
    { label: 'A', description: 'First' },
    { label: 'B, fast', description: 'Second' },
    { label: 'say "C"', description: 'Third' },
  ],
  multiSelect: true,
};

export const QUESTION: Scene = {
  name: 'question',
  about: 'Claude asks two questions, and hears the answers',
  async play(stage) {
    const requests = keepLastRequest();
    const run = stage.perform('question', {
      script(conversation) {
        requests.keep(conversation);
        const ask = { questions: [DATABASE, FEATURES] };
        return conversation.step === 0 ? call('AskUserQuestion', ask) : done('Understood.');
      },
    });
    await stage.person.answerNext('question', {
      answers: { '0': 'DO', '1': ['A', 'B, fast', 'say "C"'] },
    });
    const performed = await run;
    const { text = '', isError } = requests.result ?? {};
    stage.transcript.line('model', `is told: ${text}`);
    const { check } = checks(stage);
    check(
      'the model hears the single choice by its question',
      text.includes('"Which database?"="["DO"]"'),
      text,
    );
    check(
      'and all three of the multiple choice, as a list of JSON',
      text.includes(`"Which features?"="${JSON.stringify(['A', 'B, fast', 'say "C"'])}"`),
      text,
    );
    check('as a result, not as an error', isError === false, requests.result);
    const order = kinds(performed).filter((type) =>
      ['question_prompt', 'interaction_resolved', 'result'].includes(type),
    );
    check(
      'who watches hears the question while the SDK is blocked',
      order.join() === 'question_prompt,interaction_resolved,result',
      order,
    );
  },
};
