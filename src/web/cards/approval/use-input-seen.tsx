import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../../../protocol/types.ts';
import { hidesPart } from '../../model/folding.ts';
import { JsonView } from '../../ui/literal.tsx';
import type { CardBodyProps } from '../card-props.ts';
import { useArmed } from '../use-armed.ts';
import { ReviewHint, useSeen } from '../use-seen.tsx';

/** The view of an input, and why a press does not approve it yet: it was not all in the window, or it just moved. */
export function useInputSeen(
  { answering, clock, position, onSeen }: CardBodyProps,
  input: JsonObject,
  panel: string,
) {
  const { inputDigest, toolName } = answering.record;
  const [isWhole, setWhole] = useState(() => !hidesPart(input));
  const shown = useRef<HTMLDivElement>(null);
  const { isSeen, showRest } = useSeen(shown, inputDigest, isWhole);
  useEffect(() => {
    if (isSeen) onSeen?.();
  }, [isSeen]);
  // After a change of input, position or panel, the person must see the input again before a press counts.
  const isArmed = useArmed(clock, `${inputDigest} ${String(position)} ${panel} ${isSeen}`);
  const hold = !isSeen ? 'missing' : isArmed ? undefined : 'arming';
  const hintId = useId();
  return {
    isSeen,
    hold,
    held: { hold, onHeld: showRest, ...(!isSeen && { 'aria-describedby': hintId }) },
    hint: !isSeen && <ReviewHint id={hintId} what="input" onShow={showRest} />,
    view: (
      <JsonView
        value={input}
        label={`Input of ${toolName}`}
        onWhole={() => setWhole(true)}
        root={shown}
      />
    ),
  } as const;
}
