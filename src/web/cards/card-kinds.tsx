/**
 * One entry for each kind. A request of an unknown kind, or one that does not fit its kind, gets the general card.
 */
import type { ComponentType } from 'preact';
import type { Interaction } from '../../protocol/types.ts';
import { useLaterParts } from '../hooks/use-later-parts.ts';
import { readApproval } from '../model/cards/approval-input.ts';
import { readForm } from '../model/cards/form-request.ts';
import { readQuestions } from '../model/cards/question-draft.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { Literal } from '../ui/literal.tsx';
import { ApprovalTitle, ToolApproval } from './approval/tool-approval.tsx';
import type { CardBodyProps } from './card-props.ts';

interface CardKind {
  readonly name: string;
  readonly title: ComponentType<{ readonly record: Interaction }>;
  readonly body: ComponentType<CardBodyProps>;
}

const ToolTitle: CardKind['title'] = ({ record }) => <Literal text={record.toolName} />;

const GENERAL: CardKind = { name: 'Request', title: ToolTitle, body: laterCard('GeneralCard') };

export function cardKindOf({ kind, request, wholeInput }: Interaction): CardKind {
  switch (kind) {
    case 'approval':
      return readApproval(request) === undefined
        ? GENERAL
        : {
            name: 'Approval',
            title: ApprovalTitle,
            body: wholeInput
              ? LargeCard
              : request['choices'] === undefined
                ? ToolApproval
                : ChoiceCard,
          };
    case 'question':
      return readQuestions(request) === undefined
        ? GENERAL
        : { name: 'Question', title: QuestionTitle, body: QuestionCard };
    case 'plan_review':
      return { name: 'Plan', title: PlanTitle, body: PlanCard };
    case 'form':
      return readForm(request) === undefined
        ? GENERAL
        : { name: 'Form', title: FormTitle, body: FormCard };
    case 'link':
      return { name: 'Link', title: LinkTitle, body: LinkCard };
    default:
      return GENERAL;
  }
}

const QuestionTitle: CardKind['title'] = ({ record }) => {
  const count = readQuestions(record.request)?.length ?? 0;
  return <>{count === 1 ? 'The agent has a question' : `The agent has ${count} questions`}</>;
};

const PlanTitle: CardKind['title'] = () => <>Review the plan</>;

const FormTitle: CardKind['title'] = ({ record }) => {
  const form = readForm(record.request);
  return <bdi>{escapeInvisible(form?.title ?? form?.schema.title ?? record.toolName)}</bdi>;
};

const LinkTitle: CardKind['title'] = ({ record }) => {
  const { title } = record.request;
  return <bdi>{typeof title === 'string' ? escapeInvisible(title) : 'Open a link'}</bdi>;
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
    const Card = useLaterParts()?.[name];
    if (Card === undefined)
      return <p class="card-note">Loading… Reload the page if nothing appears.</p>;
    return <Card {...props} />;
  };
}
