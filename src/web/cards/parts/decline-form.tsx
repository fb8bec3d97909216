import type { Answering } from '../use-answer.ts';
import type { Reason } from '../use-reason.ts';
import { ReasonForm } from './reason-form.tsx';

interface Props {
  readonly answering: Answering;
  readonly reason: Reason;
  readonly isBusy: boolean;
  readonly onBack: () => void;
}

/** No answer, and why. */
export function DeclineForm({ answering, reason, isBusy, onBack }: Props) {
  return (
    <ReasonForm
      does="Decline"
      reason={reason}
      isBusy={isBusy}
      onBack={onBack}
      onGive={(words) =>
        void answering.give({ decline: true, ...(words !== undefined && { reason: words }) })
      }
    />
  );
}
