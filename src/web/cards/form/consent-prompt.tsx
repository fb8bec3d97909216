import { useId, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { isLong } from '../../model/input-lines.ts';
import type { CardBodyProps } from '../card-props.ts';
import { AgentExplanation } from '../parts/agent-explanation.tsx';
import { DeclineForm } from '../parts/reason-form.tsx';
import { ReviewHint } from '../parts/review-hint.tsx';
import { useArmed } from '../use-armed.ts';
import { useReason } from '../use-reason.ts';
import { useSeen } from '../use-seen.ts';

interface ConsentPromptProps extends CardBodyProps {
  readonly words: string | undefined;
}

/** A form without fields asks only for consent, so Accept is blocked as Approve is (UI-6). */
export function ConsentPrompt(props: ConsentPromptProps) {
  const { answering, clock, position, isLive, words = '' } = props;
  const { record, isBusy } = answering;
  const reason = useReason(props);
  const [isDeclining, setDeclining] = useState(reason.wasKept);
  const [isWhole, setWhole] = useState(() => !isLong(words));
  const shown = useRef<HTMLDivElement>(null);
  const { isSeen, showRest } = useSeen(shown, record.inputDigest, isWhole);
  const isArmed = useArmed(
    clock,
    `${record.inputDigest} ${String(position)} ${isDeclining} ${isSeen}`,
  );
  const hintId = useId();
  return (
    <div class="card-part">
      <div ref={shown}>
        {words !== '' && <AgentExplanation text={words} onWhole={() => setWhole(true)} />}
        <p class="card-hint">There is nothing to fill in.</p>
      </div>
      {isLive && isDeclining && (
        <DeclineForm {...{ answering, reason, isBusy }} onCancel={() => setDeclining(false)} />
      )}
      {isLive && !isDeclining && (
        <div class="card-actions">
          <Button
            kind="primary"
            isBusy={isBusy}
            hold={!isSeen ? 'missing' : isArmed ? undefined : 'arming'}
            onHeld={showRest}
            aria-describedby={isSeen ? undefined : hintId}
            onClick={() => void answering.give({ values: {} })}
          >
            Accept
          </Button>
          <Button kind="quiet" disabled={isBusy} onClick={() => setDeclining(true)}>
            Decline…
          </Button>
          {!isSeen && <ReviewHint id={hintId} what="text" action="accepting" onShow={showRest} />}
        </div>
      )}
    </div>
  );
}
