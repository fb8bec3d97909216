import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { displayPlain } from '../../../display/display-plain.ts';
import type { JsonObject } from '../../../protocol/types.ts';
import { useLaterParts } from '../../hooks/use-later-parts.ts';
import { t } from '../../model/language.ts';
import type { CardBodyProps } from '../card-props.ts';
import { InputFrame } from '../input/input-frame.tsx';
import type { LineComments } from '../input/line-comment-sheet.tsx';
import { useArmed } from '../use-armed.ts';
import { ReviewHint, useSeen } from '../use-seen.tsx';

/** The view of an input, and why a press does not approve it yet: it was not all in the window, or it just moved. */
export function useInputSeen(
  card: CardBodyProps,
  input: JsonObject,
  panel: string,
  comments?: LineComments,
) {
  const { answering, clock, position, onSeen } = card;
  const { inputDigest, toolName } = answering.record;
  const display = useMemo(() => displayPlain(toolName, input), [toolName, input]);
  const later = useLaterParts(display === undefined ? 'now' : 'never');
  const isDrawn = display !== undefined || later !== undefined;
  const shown = useRef<HTMLDivElement>(null);
  const { isSeen, isMissing, showRest } = useSeen(shown, `${inputDigest} ${isDrawn}`);
  const label = t('Input of {tool}', { tool: toolName });
  const isNoted = onSeen !== undefined;
  // In the inbox the card may be there before the list, which then learns that it was seen.
  useEffect(() => {
    if (isSeen) onSeen?.();
  }, [isSeen, isNoted]);
  // After a change of input, position or panel, the person must see the input again before a press counts.
  const isArmed = useArmed(
    clock,
    `${inputDigest} ${String(position)} ${panel} ${isSeen}`,
    card.isAwaited,
  );
  const hold = isMissing || !isDrawn ? 'missing' : isSeen && isArmed ? undefined : 'arming';
  const hintId = useId();
  return {
    isSeen,
    hold,
    held: { hold, onHeld: showRest, ...(isMissing && { 'aria-describedby': hintId }) },
    hint: isMissing && (
      <ReviewHint id={hintId} onShow={showRest}>
        {t('Review the full input before approving')}
      </ReviewHint>
    ),
    view:
      display !== undefined ? (
        <InputFrame key="plain" {...{ display, input, label }} root={shown} />
      ) : later === undefined ? (
        <p class="card-note">{t('Loading… Reload the page if nothing appears.')}</p>
      ) : (
        <later.ApprovalInput key="view" {...{ card, input, label, comments }} root={shown} />
      ),
  } as const;
}
