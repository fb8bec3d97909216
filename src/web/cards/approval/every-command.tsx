import type { ComponentChildren, ComponentProps } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Literal } from '../../ui/literal.tsx';

interface EveryCommandProps {
  readonly toolName: string;
  readonly held: Pick<ComponentProps<typeof Button>, 'hold' | 'onHeld' | 'aria-describedby'>;
  readonly hint: ComponentChildren;
  readonly isBusy: boolean;
  readonly onApprove: () => void;
  readonly onCancel: () => void;
}

/** Explains a rule for every call of a shell before the person creates one. */
export function EveryCommand({
  toolName,
  held,
  hint,
  isBusy,
  onApprove,
  onCancel,
}: EveryCommandProps) {
  const words = useRef<HTMLParagraphElement>(null);
  const id = useId();
  useLayoutEffect(() => words.current?.focus(), []);
  return (
    <div class="session-offer" role="group" aria-labelledby={id}>
      <p class="card-note" id={id} ref={words} tabIndex={-1}>
        <strong>
          <Literal text={toolName} />
        </strong>{' '}
        runs any command it is given. For the rest of this session it would run every command at
        once, including one that deletes or uploads files, without asking anyone.
      </p>
      <div class="card-actions">
        <Button kind="primary" isBusy={isBusy} {...held} onClick={onApprove}>
          Allow every command
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
        {hint}
      </div>
    </div>
  );
}
