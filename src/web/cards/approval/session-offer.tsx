import type { ComponentChildren, ComponentProps } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isShell } from '../../../protocol/shell-tools.ts';
import { Button } from '../../ui/button.tsx';
import { Literal } from '../../ui/literal.tsx';

interface RuleOfferProps {
  readonly toolName: string;
  /** Why Approve is blocked. */
  readonly held: Pick<ComponentProps<typeof Button>, 'hold' | 'onHeld' | 'aria-describedby'>;
  readonly hint: ComponentChildren;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
}

export type SessionPanel = 'session' | 'every command';

interface SessionOfferProps extends Omit<RuleOfferProps, 'onCancel'> {
  readonly panel: SessionPanel;
  readonly setPanel: (panel: 'decide' | SessionPanel) => void;
  readonly onApprove: (rule: { readonly exact?: true; readonly everyCommand?: true }) => void;
}

/** Approves this call and later ones in this session; every call of a shell in a second step. */
export function SessionOffer({ panel, setPanel, onApprove, ...offer }: SessionOfferProps) {
  if (panel === 'every command') {
    const back = () => setPanel('session');
    return (
      <EveryCommand
        {...offer}
        onApprove={() => onApprove({ everyCommand: true })}
        onCancel={back}
      />
    );
  }
  const approve = (exact: boolean) => {
    if (!exact && isShell(offer.toolName)) setPanel('every command');
    else onApprove(exact ? { exact } : {});
  };
  return <ChooseRule {...offer} onApprove={approve} onCancel={() => setPanel('decide')} />;
}

interface ChooseRuleProps extends RuleOfferProps {
  readonly onApprove: (exact: boolean) => void;
}

/** The narrower rule is the default. */
function ChooseRule({ toolName, held, hint, isBusy, ...on }: ChooseRuleProps) {
  const [isExact, setExact] = useState(true);
  const first = useRef<HTMLInputElement>(null);
  const name = useId();
  // In a layout effect: otherwise the first letters that the person types go to the card.
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <div class="session-offer">
      <fieldset disabled={isBusy}>
        <legend>Allow without asking, for the rest of this session:</legend>
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
              Only this exact <Literal text={toolName} /> call
            </strong>
            <span class="choice-more">You are asked about any other input.</span>
          </span>
        </label>
        <label class="choice">
          <input type="radio" name={name} checked={!isExact} onChange={() => setExact(false)} />
          <span>
            <strong>
              Every <Literal text={toolName} /> call
            </strong>
            <span class="choice-more">
              You are not asked about this tool again in this session.
            </span>
          </span>
        </label>
      </fieldset>
      <div class="card-actions">
        <Button kind="primary" isBusy={isBusy} {...held} onClick={() => on.onApprove(isExact)}>
          Approve for the session
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={on.onCancel}>
          Cancel
        </Button>
        {hint}
      </div>
    </div>
  );
}

interface EveryCommandProps extends RuleOfferProps {
  readonly onApprove: () => void;
}

/** Explains a rule for every call of a shell before the person creates one. */
export function EveryCommand({ toolName, held, hint, isBusy, ...on }: EveryCommandProps) {
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
        <Button kind="primary" isBusy={isBusy} {...held} onClick={on.onApprove}>
          Allow every command
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={on.onCancel}>
          Cancel
        </Button>
        {hint}
      </div>
    </div>
  );
}
