/** A long answer, to watch it arrive, and to interrupt it. */
import type { Scenario } from '../scenario.ts';

const PARAGRAPHS = [
  'This is a long answer. It comes in small pieces, as the answers of a model do, and you can stop it whenever you like.',
  'While it comes, nothing of it is stored. Each piece is a preview that goes to everyone who looks at this session. Close the page and open it again: you see the rest, and what came before.',
  'If the server is killed now, the answer is asked for again and the preview is replaced. If you stop it, what you have read so far is stored, and marked as stopped.',
  'Waiting costs nothing. While a question is open there is no process, no timer and no connection; there is one row, and one alarm for its deadline.',
  'A person may answer from anywhere: here, from a terminal, from a link in a message. The first answer counts, and the others are told that they came too late, and who was first.',
  'What runs is what was approved. If you change the input of a tool before you approve it, the changed input runs, and the log holds both.',
  'That is the end of the long answer. Everything is in the log now, as one text, in its place.',
];

/** Seven seconds in all: a person reads what it says, finds the button and presses it before the end. */
const SLOWNESS = 4;

export const longScenario: Scenario = {
  word: 'long',
  about: 'I give a long answer, piece by piece. Interrupt it if you like.',
  play: () => ({ text: PARAGRAPHS.join('\n\n'), slowness: SLOWNESS }),
};
