/** Two questions, one with several answers. A bug looks like an agent that receives other answers. */
import { checkPage } from '../stage/check-page.ts';
import { storyByHand } from '../stage/story.ts';

storyByHand(
  'two questions are answered, one with several options and free text',
  async ({ person }) => {
    await person.begins('Answer questions');
    const card = person.card('The agent has 2 questions');
    await person.sees('Which database should the sketch use?');
    await checkPage(person, 'the first question');
    await person.chooses(/PostgreSQL/, card);
    await person.presses('Next', card);
    await person.chooses(/Tests/, card);
    await person.chooses(/Types/, card);
    await person.writes(
      'Your own answer to: Which checks should run before a release?',
      'Spelling',
    );
    await checkPage(person, 'the second question, answered');
    await person.presses('Back', card);
    await person.sees('Which database should the sketch use?');
    await person.presses('Next', card);
    await person.presses('Submit', card);
    await person.sees('Selected: PostgreSQL');
    await person.sees('Selected: Tests, Types, Spelling');
    await person.sees(/This is what I was told: .*PostgreSQL.*"Tests","Types","Spelling"/s);
    await person.sees('Idle');
    await checkPage(person, 'the answers');
  },
);

storyByHand('a message answers the open question', async ({ person }) => {
  await person.begins('Answer questions');
  await person.sees('Answering “Which database should the sketch use?”');
  await person.says('DuckDB');
  await person.sees('Answering “Which checks should run before a release?”');
  await person.says('Only the tests');
  await person.sees(/This is what I was told: .*DuckDB.*Only the tests/s);
});

storyByHand('a question is declined with a reason', async ({ person }) => {
  await person.begins('Answer questions');
  await person.presses('Decline…');
  await person.page.keyboard.type('Ask me tomorrow.');
  await person.presses('Decline');
  await person.sees(/You did not answer: .*Ask me tomorrow\./);
  await checkPage(person, 'a declined question');
});
