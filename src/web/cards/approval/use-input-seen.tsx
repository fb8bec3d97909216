import { useEffect, useId, useRef } from 'preact/hooks';
import type { JsonObject } from '../../../protocol/types.ts';
import { useLaterParts } from '../../hooks/use-later-parts.ts';
import { t } from '../../model/language.ts';
import { JsonView } from '../../ui/literal.tsx';
import type { CardBodyProps } from '../card-props.ts';
import { useArmed } from '../use-armed.ts';
import { ReviewHint, useSeen } from '../use-seen.tsx';

/** The view of an input, and why a press does not approve it yet: it was not all in the window, or it just moved. */
export function useInputSeen(card: CardBodyProps, input: JsonObject, panel: string) {
  const { answering, clock, position, onSeen } = card;
  const { inputDigest, toolName } = answering.record;
  const later = useLaterParts();
  const shown = useRef<HTMLDivElement>(null);
  // The plain view stands in until the drawn view is fetched. Reading the plain view does not count for the drawn one.
  const what = `${inputDigest} ${later === undefined ? 'plain' : ''}`;
  const { isSeen, showRest } = useSeen(shown, what);
  const label = t('Input of {tool}', { tool: toolName });
  const isNoted = onSeen !== undefined;
  // In the inbox the card may be there before the list, which then learns that it was seen.
  useEffect(() => {
    if (isSeen) onSeen?.();
  }, [isSeen, isNoted]);
  // After a change of input, position or panel, the person must see the input again before a press counts.
  const isArmed = useArmed(clock, `${inputDigest} ${String(position)} ${panel} ${isSeen}`);
  const hold = !isSeen ? 'missing' : isArmed ? undefined : 'arming';
  const hintId = useId();
  return {
    isSeen,
    hold,
    held: { hold, onHeld: showRest, ...(!isSeen && { 'aria-describedby': hintId }) },
    hint: !isSeen && (
      <ReviewHint id={hintId} onShow={showRest}>
        {t('Review the full input before approving')}
      </ReviewHint>
    ),
    view:
      later === undefined ? (
        <JsonView key="plain" value={input} label={label} root={shown} />
      ) : (
        <later.ApprovalInput key="view" {...{ card, input, label }} root={shown} />
      ),
  } as const;
}
