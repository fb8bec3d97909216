/** Answers as a model reads them, by the words of the question instead of its index. */
import type { AnswersByIndex } from '../transport.ts';
import type { Question } from './requests.ts';

/** Where two questions have the same words the second is called `… (2)`, so that neither is lost. */
export function answersByText(
  questions: readonly Pick<Question, 'question'>[],
  answers: AnswersByIndex,
): Readonly<Record<string, string | readonly string[]>> {
  const named = new Map<string, string | readonly string[]>();
  for (const [index, { question }] of questions.entries()) {
    const answer = answers[String(index)];
    if (answer === undefined) continue;
    let name = question;
    for (let count = 2; named.has(name); count += 1) name = `${question} (${count})`;
    named.set(name, answer);
  }
  return Object.fromEntries(named);
}
