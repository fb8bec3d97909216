/**
 * One entry for each kind. A request of an unknown kind, or one that does not fit its kind, gets the general card.
 */
import type { ComponentType } from 'preact';
import type { Interaction } from '../../protocol/types.ts';
import { useLaterParts } from '../hooks/use-later-parts.ts';
import { readApproval } from '../model/cards/approval-input.ts';
import { readForm } from '../model/cards/form-request.ts';
import { readQuestions } from '../model/cards/question-request.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { t, tn } from '../model/language.ts';
import { Literal } from '../ui/literal.tsx';
import { ApprovalTitle, ToolApproval } from './approval/tool-approval.tsx';
import type { CardBodyProps } from './card-props.ts';

interface CardKind {
  readonly name: string;
  readonly title: ComponentType<{ readonly record: Interaction }>;
  readonly body: ComponentType<CardBodyProps>;
}

const ToolTitle: CardKind['title'] = ({ record }) => <Literal text={record.toolName} />;

const LaterGeneralCard = laterCard('GeneralCard');

function generalKind(): CardKind {
  return { name: t('Request'), title: ToolTitle, body: LaterGeneralCard };
}

export function cardKindOf({ kind, request, wholeInput }: Interaction): CardKind {
  switch (kind) {
    case 'approval':
      return readApproval(request) === undefined
        ? generalKind()
        : {
            name: t('Approval'),
            title: ApprovalTitle,
            body: wholeInput
              ? LargeCard
              : request['choices'] === undefined
                ? ToolApproval
                : ChoiceCard,
          };
    case 'question':
      return readQuestions(request) === undefined
        ? generalKind()
        : { name: t('Question'), title: QuestionTitle, body: QuestionCard };
    case 'plan_review':
      return { name: t('Plan'), title: PlanTitle, body: PlanCard };
    case 'form':
      return readForm(request) === undefined
        ? generalKind()
        : { name: t('Form'), title: FormCardTitle, body: FormCard };
    case 'link':
      return { name: t('Link'), title: LinkTitle, body: LinkCard };
    default:
      return generalKind();
  }
}

const QuestionTitle: CardKind['title'] = ({ record }) => {
  const count = readQuestions(record.request)?.length ?? 0;
  return <>{tn(count, 'The agent has a question', 'The agent has {count} questions')}</>;
};

const PlanTitle: CardKind['title'] = () => <>{t('Review the plan')}</>;

const FormCardTitle: CardKind['title'] = ({ record }) => {
  const form = readForm(record.request);
  return <bdi>{escapeInvisible(form?.title ?? form?.schema.title ?? record.toolName)}</bdi>;
};

const LinkTitle: CardKind['title'] = ({ record }) => {
  const { title } = record.request;
  return <bdi>{typeof title === 'string' ? escapeInvisible(title) : t('Open a link')}</bdi>;
};

/** Cards whose script is loaded after the first screen. */
const FormCard = laterCard('FormPrompt');
const PlanCard = laterCard('PlanReview');
const QuestionCard = laterCard('QuestionPrompt');
const LinkCard = laterCard('LinkPrompt');
const ChoiceCard = laterCard('ChoiceApproval');
const LargeCard = laterCard('LargeApproval');

type LaterCardName =
  | 'ChoiceApproval'
  | 'FormPrompt'
  | 'GeneralCard'
  | 'LargeApproval'
  | 'LinkPrompt'
  | 'PlanReview'
  | 'QuestionPrompt';

function laterCard(name: LaterCardName) {
  return function LaterCard(props: CardBodyProps) {
    const Card = useLaterParts('now')?.[name];
    if (Card === undefined)
      return <p class="card-note">{t('Loading… Reload the page if nothing appears.')}</p>;
    return <Card {...props} />;
  };
}
