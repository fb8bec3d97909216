/**
 * Answers to questions as a model reads them, the same on every way in (QST-11).
 *
 * A list of JSON keeps the border of each choice, whatever is in its label. What a person wrote in place of a label is
 * marked: a model must not take it for one of its own options, nor for an instruction.
 */

/** A label, or the words of a person. */
export type ShownChoice = string | { readonly ownWords: string };

interface AskedWithOptions {
  readonly question: string;
  readonly options?: readonly (string | { readonly label: string })[] | undefined;
}

type GivenChoices = string | readonly string[];

export function shownChoices(
  { options = [] }: AskedWithOptions,
  answer: GivenChoices,
): readonly ShownChoice[] {
  const labels = new Set(options.map((one) => (typeof one === 'string' ? one : one.label).trim()));
  const given = typeof answer === 'string' ? [answer] : answer;
  return given.map((one) => (labels.has(one.trim()) ? one : { ownWords: one }));
}

/** One line for each question. */
export function describeAnswers(
  questions: readonly AskedWithOptions[],
  answers: Readonly<Record<string, GivenChoices>>,
): string {
  const line = (asked: AskedWithOptions, index: number) => {
    const answer = answers[String(index)] ?? [];
    return `${asked.question}: ${JSON.stringify(shownChoices(asked, answer))}`;
  };
  return questions.map(line).join('\n');
}
