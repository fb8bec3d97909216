import type { RefObject } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { PlanDecision } from '../../../client/transport.ts';
import { FEEDBACK_CHARS } from '../../../protocol/limits.ts';
import type { Interaction } from '../../../protocol/types.ts';
import { Markdown, useMarkdown } from '../../markdown/markdown.tsx';
import { chosenPlanDecision, planChoices, readPlan } from '../../model/cards/plan-choices.ts';
import { escapeInvisible } from '../../../protocol/escapes.ts';
import { sizeOfText } from '../../model/folding.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { feedbackOf, type PlanComment, readComments } from '../../model/cards/plan-comments.ts';
import { CommentList, PlanMargin, PlanOutline, usePlanBlocks } from './plan-margin.tsx';
import { digitOf, isSubmit, shortcutOf, useCardKeys } from '../use-card-keys.ts';
import type { CardBodyProps } from '../card-props.ts';
import { useArmed } from '../use-armed.ts';
import { useDraft } from '../use-draft.ts';
import { ReviewHint, useSeen } from '../use-seen.tsx';

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
        <p class="given-reason" dir="auto">
          {escapeInvisible(record.reason)}
        </p>
      )}
      <details class="card-more">
        <summary>{t('Show the plan')}</summary>
        <PlanText text={readPlan(record.request)} isWhole onWhole={() => undefined} />
      </details>
    </>
  );
}

interface PlanDraft {
  readonly decision?: PlanDecision | undefined;
  readonly feedback: string;
  readonly comments: readonly PlanComment[];
}

/** The plan and the four decisions on it. */
function OpenPlan(props: CardBodyProps) {
  const { answering, clock, position, isLive } = props;
  const { record, isBusy } = answering;
  const plan = readPlan(record.request);
  const [draft, setDraft] = useDraft<PlanDraft>(props, (kept) => ({
    decision: planChoices().find(({ decision }) => decision === kept?.decision)?.decision,
    feedback: typeof kept?.feedback === 'string' ? kept.feedback : '',
    comments: readComments(kept?.comments),
  }));
  const [isWhole, setWhole] = useState(() => !isLongPlan(plan));
  const shown = useRef<HTMLElement>(null);
  // The same words as plain text have other edges: a table that is read in them was not on the screen.
  const what = `${record.inputDigest} ${useMarkdown() !== undefined}`;
  const { isSeen, isMissing, showRest } = useSeen(shown, what, isWhole);
  const isArmed = useArmed(clock, `${record.inputDigest} ${String(position)} ${isSeen}`);
  const name = useId();
  // A person asked for changes without feedback (PLN-3).
  const decision = draft.decision ?? (record.awaitingFeedback === true ? 'adjust' : undefined);
  const isBack = decision === 'adjust';
  const feedback = feedbackOf(draft.comments, draft.feedback);
  const setComments = (comments: readonly PlanComment[]) =>
    setDraft({ ...draft, comments, ...(comments.length > 0 && { decision: 'adjust' }) });
  const hold = isBack || (isSeen && isArmed) ? undefined : isMissing ? 'missing' : 'arming';
  const go = () => {
    if (decision === undefined || isBusy || !isLive || hold === 'arming') return;
    if (hold === 'missing') return showRest();
    if (isBack && feedback.length > FEEDBACK_CHARS) return;
    void answering.give({ decision, ...(isBack && { feedback }) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isLive || isBusy) return;
    const choice = planChoices()[digitOf(event) ?? -1];
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
      <PlanText
        text={plan}
        isWhole={isWhole}
        onWhole={() => setWhole(true)}
        root={shown}
        {...(isLive && { comments: draft.comments, onComments: setComments })}
      />
      <CommentList comments={draft.comments} onComments={setComments} isBusy={!isLive || isBusy} />
      {draft.comments.length > 0 && decision !== undefined && !isBack && (
        <p class="card-note">{t('The agent gets your comments only if you request changes.')}</p>
      )}
      <fieldset class="question" disabled={!isLive || isBusy}>
        <legend>{t('How should the agent go on?')}</legend>
        {planChoices().map((choice, index) => (
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
          <span>{t('What should change?')}</span>
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
        <div class="card-actions stays">
          <Button
            kind="primary"
            isBusy={isBusy}
            disabled={decision === undefined}
            hold={hold}
            onHeld={showRest}
            aria-describedby={isMissing ? `${name}-hint` : undefined}
            onClick={go}
          >
            {isBack ? t('Send feedback') : t('Approve the plan')}
          </Button>
          {isMissing && (
            <ReviewHint id={`${name}-hint`} onShow={showRest}>
              {t('Review the full plan before approving')}
            </ReviewHint>
          )}
        </div>
      )}
    </div>
  );
}

const LONG_PLAN_CHARS = 5_000;
const LONG_PLAN_LINES = 60;

function isLongPlan(text: string): boolean {
  return (
    text.length > LONG_PLAN_CHARS || text.split('\n', LONG_PLAN_LINES + 1).length > LONG_PLAN_LINES
  );
}

interface PlanTextProps {
  readonly text: string;
  readonly isWhole: boolean;
  readonly onWhole: () => void;
  readonly root?: RefObject<HTMLElement | null>;
  readonly comments?: readonly PlanComment[];
  readonly onComments?: (comments: readonly PlanComment[]) => void;
}

/** The plan, labeled as the agent's. A long plan is folded, and must be seen in full before approval. */
function PlanText({ text, isWhole, onWhole, root, comments, onComments }: PlanTextProps) {
  const drawn = useRef<HTMLDivElement>(null);
  const blocks = usePlanBlocks(drawn, text);
  return (
    <figure class="plan" {...(root && { ref: root })}>
      <figcaption>
        {t('The agent’s plan')} <CopyButton kind="quiet" text={text} label={t('Copy the plan')} />
      </figcaption>
      <PlanOutline blocks={blocks} />
      <div class={onComments === undefined ? undefined : 'plan-with-margin'}>
        <div
          class={isWhole ? 'plan-text' : 'plan-text clipped'}
          ref={drawn}
          {...(!isWhole && { 'data-folded': '' })}
        >
          <Markdown text={isWhole ? text : beginningOfPlan(text)} />
        </div>
        {onComments !== undefined && comments !== undefined && (
          <PlanMargin {...{ blocks, comments, onComments }} />
        )}
      </div>
      {!isWhole && (
        <button type="button" class="link" data-unfold onClick={onWhole}>
          {t('Show all {size}', { size: sizeOfText(text) })}
        </button>
      )}
    </figure>
  );
}

function beginningOfPlan(text: string): string {
  const lines = text.split('\n', LONG_PLAN_LINES).join('\n');
  return lines.slice(0, LONG_PLAN_CHARS).replace(/[\uD800-\uDBFF]$/, '');
}
