import { questionsIn } from '../../model/cards/question-draft.ts';
import type { CardBodyProps } from '../card-props.ts';
import { OpenQuestions } from './open-questions.tsx';
import { SettledAnswers } from './settled-answers.tsx';

/** Questions to answer, or the answers. */
export function QuestionPrompt(props: CardBodyProps) {
  const { record } = props.answering;
  const questions = questionsIn(record.request);
  if (questions === undefined) return null;
  return record.status === 'open' ? (
    <OpenQuestions {...props} questions={questions} />
  ) : (
    <SettledAnswers record={record} questions={questions} />
  );
}
