import type { ComponentChildren, ComponentProps } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Literal } from '../../ui/literal.tsx';

interface SessionOfferProps {
  readonly toolName: string;
  /** Why it cannot be approved yet. */
  readonly held: Pick<ComponentProps<typeof Button>, 'hold' | 'onHeld' | 'aria-describedby'>;
  readonly hint: ComponentChildren;
  readonly isBusy: boolean;
  readonly onApprove: (exact: boolean) => void;
  readonly onCancel: () => void;
}

/** Yes, and to what comes later in this session: the narrower rule is chosen until somebody says otherwise. */
export function SessionOffer({ toolName, held, hint, isBusy, ...on }: SessionOfferProps) {
  const [isExact, setExact] = useState(true);
  const first = useRef<HTMLInputElement>(null);
  const name = useId();
  // At once: the first letters of whoever types on would go to the card.
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <div class="session-offer">
      <fieldset disabled={isBusy}>
        <legend>What may run without asking, for the rest of this session?</legend>
        <label class="choice">
          <input
            ref={first}
            type="radio"
            name={name}
            checked={isExact}
            onChange={() => setExact(true)}
          />
          <span>
            <strong>
              <Literal text={toolName} />, with exactly this input
            </strong>
            <span class="choice-more">Anything else is asked again.</span>
          </span>
        </label>
        <label class="choice">
          <input type="radio" name={name} checked={!isExact} onChange={() => setExact(false)} />
          <span>
            <strong>
              <Literal text={toolName} />, with any input
            </strong>
            <span class="choice-more">You will not be asked about this tool again here.</span>
          </span>
        </label>
      </fieldset>
      <div class="card-actions">
        <Button kind="primary" isBusy={isBusy} {...held} onClick={() => on.onApprove(isExact)}>
          Approve for the session
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={on.onCancel}>
          Back
        </Button>
        {hint}
      </div>
    </div>
  );
}
