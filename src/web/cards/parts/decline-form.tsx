import type { AnswerState } from '../use-answer.ts';
import type { ReasonDraft } from '../use-reason.ts';
import { ReasonForm } from './reason-form.tsx';

interface DeclineFormProps {
  readonly answering: AnswerState;
  readonly reason: ReasonDraft;
  readonly isBusy: boolean;
  readonly onBack: () => void;
}

/** No answer, and why. */
export function DeclineForm({ answering, reason, isBusy, onBack }: DeclineFormProps) {
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
