import { FEEDBACK_CHARS } from '../../../protocol/limits.ts';
import { useId, useRef, useState } from 'preact/hooks';
import type { PlanDecision } from '../../../client/transport.ts';
import { Button } from '../../ui/button.tsx';
import { PLAN_CHOICES, readPlan } from '../../model/cards/plan-choices.ts';
import type { CardBodyProps } from '../card-props.ts';
import { digitOf, isSubmit, shortcutOf } from '../card-keys.ts';
import { ReviewHint } from '../parts/review-hint.tsx';
import { useArmed } from '../use-armed.ts';
import { useCardKeys } from '../card-keys.ts';
import { useDraft } from '../use-draft.ts';
import { useSeen } from '../use-seen.ts';
import { PlanText, isLongPlan } from './plan-text.tsx';

interface PlanDraft {
  readonly decision?: PlanDecision | undefined;
  readonly feedback: string;
}

/** The plan and the four decisions on it. */
export function OpenPlan(props: CardBodyProps) {
  const { answering, clock, position, isLive } = props;
  const { record, isBusy } = answering;
  const plan = readPlan(record.request);
  const [draft, setDraft] = useDraft<PlanDraft>(props, (kept) => ({
    decision: PLAN_CHOICES.find(({ decision }) => decision === kept?.decision)?.decision,
    feedback: typeof kept?.feedback === 'string' ? kept.feedback : '',
  }));
  const [isWhole, setWhole] = useState(() => !isLongPlan(plan));
  const shown = useRef<HTMLElement>(null);
  const { isSeen, showRest } = useSeen(shown, record.inputDigest, isWhole);
  const isArmed = useArmed(clock, `${record.inputDigest} ${String(position)} ${isSeen}`);
  const name = useId();
  // A person asked for changes without feedback (PLN-3).
  const decision = draft.decision ?? (record.awaitingFeedback === true ? 'adjust' : undefined);
  const isBack = decision === 'adjust';
  const hold = isBack || (isSeen && isArmed) ? undefined : isSeen ? 'arming' : 'missing';
  const go = () => {
    if (decision === undefined || isBusy || !isLive || hold === 'arming') return;
    if (hold === 'missing') return showRest();
    void answering.give({ decision, ...(isBack && { feedback: draft.feedback }) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isLive || isBusy) return;
    const choice = PLAN_CHOICES[digitOf(event) ?? -1];
    if (choice !== undefined) {
      event.preventDefault();
      setDraft({ ...draft, decision: choice.decision });
    } else if (isSubmit(event)) {
      event.preventDefault();
      go();
    }
  };
  const inside = useCardKeys(onKeyDown);
  return (
    <div ref={inside} class="card-part">
      <PlanText text={plan} isWhole={isWhole} onWhole={() => setWhole(true)} root={shown} />
      <fieldset class="question" disabled={!isLive || isBusy}>
        <legend>How should the agent go on?</legend>
        {PLAN_CHOICES.map((choice, index) => (
          <div key={choice.decision} class={`option${choice.decision === decision ? ' on' : ''}`}>
            <label class="choice">
              <input
                type="radio"
                name={name}
                aria-keyshortcuts={shortcutOf(index)}
                checked={choice.decision === decision}
                onChange={() => setDraft({ ...draft, decision: choice.decision })}
              />
              <span>
                <strong>{choice.name}</strong>
                <span class="choice-more">{choice.effect}</span>
              </span>
              <kbd aria-hidden="true">{index + 1}</kbd>
            </label>
          </div>
        ))}
      </fieldset>
      {isBack && (
        <label class="feedback">
          <span>What should change?</span>
          <textarea
            rows={3}
            dir="auto"
            maxLength={FEEDBACK_CHARS}
            value={draft.feedback}
            disabled={!isLive || isBusy}
            onInput={({ currentTarget }) =>
              setDraft({ ...draft, decision, feedback: currentTarget.value })
            }
          />
        </label>
      )}
      {isLive && (
        <div class="card-actions">
          <Button
            kind="primary"
            isBusy={isBusy}
            disabled={decision === undefined}
            hold={hold}
            onHeld={showRest}
            aria-describedby={isSeen ? undefined : `${name}-hint`}
            onClick={go}
          >
            {isBack ? 'Send feedback' : 'Approve the plan'}
          </Button>
          {!isSeen && <ReviewHint id={`${name}-hint`} what="plan" onShow={showRest} />}
        </div>
      )}
    </div>
  );
}
