/** Cards that need more script than the first screen has room for, and are asked less than others. */
import { useLaterParts } from '../hooks/use-later-parts.ts';
import type { CardBodyProps } from './card-props.ts';

export const FormCard = laterCard('FormPrompt');
export const PlanCard = laterCard('PlanReview');

function laterCard(name: 'FormPrompt' | 'PlanReview') {
  return function LaterCard(props: CardBodyProps) {
    const Card = useLaterParts()?.[name];
    if (Card === undefined)
      return <p class="card-note">Loading. If it does not come, reload the page.</p>;
    return <Card {...props} />;
  };
}
