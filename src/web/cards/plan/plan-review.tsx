import type { Interaction } from '../../../protocol/types.ts';
import { readPlan, chosenPlanDecision } from '../../model/cards/plan-choices.ts';
import { escapeInvisible } from '../../model/escapes.ts';
import type { CardBodyProps } from '../card-props.ts';
import { OpenPlan } from './open-plan.tsx';
import { PlanText } from './plan-text.tsx';

/** The body of a plan, open or settled. */
export function PlanReview(props: CardBodyProps) {
  const { record } = props.answering;
  return record.status === 'open' ? <OpenPlan {...props} /> : <SettledPlan record={record} />;
}

function SettledPlan({ record }: { readonly record: Interaction }) {
  const chosen = chosenPlanDecision(record);
  return (
    <>
      {chosen !== undefined && <p class="card-hint">{chosen.name}</p>}
      {record.reason !== undefined && (
        <p class="said-why" dir="auto">
          {escapeInvisible(record.reason)}
        </p>
      )}
      <details class="card-more">
        <summary>Show the plan</summary>
        <PlanText text={readPlan(record.request)} isWhole onWhole={() => undefined} />
      </details>
    </>
  );
}
