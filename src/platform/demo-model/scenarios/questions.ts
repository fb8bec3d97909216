/** Two questions in one call; the second takes several answers. */
import { type Scenario, lastResults, quoteResult } from '../scenario.ts';

const QUESTIONS = [
  {
    header: 'Database',
    question: 'Which database should the sketch use?',
    options: [
      { label: 'SQLite', description: 'One file, nothing to run beside it.' },
      { label: 'PostgreSQL', description: 'A server, for many writers at once.' },
    ],
    multiSelect: false,
  },
  {
    header: 'Checks',
    question: 'Which checks should run before a release?',
    options: [
      { label: 'Tests', description: 'Everything that can be tried without a network.' },
      { label: 'Types', description: 'The whole tree, tests included.' },
      { label: 'Format', description: 'Nobody argues about it again.' },
    ],
    multiSelect: true,
  },
];

export const questionScenario: Scenario = {
  word: 'questions',
  about: 'I ask you two questions; one takes several answers.',
  play(input) {
    const [result] = lastResults(input);
    if (result === undefined) {
      return {
        text: 'Before I begin I have two questions. For the second one you can choose several answers.',
        calls: [{ name: 'AskUserQuestion', input: { questions: QUESTIONS } }],
      };
    }
    if (result.isError) {
      return {
        text: `You did not answer: ${quoteResult(result)}. A real model would now choose for itself, or ask differently.`,
      };
    }
    return {
      text: `Thank you. This is what I was told: ${quoteResult(result)}. A real model would go to work with it.`,
    };
  },
};
