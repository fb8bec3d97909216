import type { Answering } from '../use-answer.ts';
import { ReasonForm } from './reason-form.tsx';

interface Props {
  readonly answering: Answering;
  readonly isBusy: boolean;
  readonly onBack: () => void;
}

/** No answer, and why. */
export function DeclineForm({ answering, isBusy, onBack }: Props) {
  return (
    <ReasonForm
      does="Decline"
      isBusy={isBusy}
      onBack={onBack}
      onGive={(reason) =>
        void answering.give({ decline: true, ...(reason !== undefined && { reason }) })
      }
    />
  );
}
