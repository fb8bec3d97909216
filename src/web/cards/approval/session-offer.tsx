import type { ComponentChildren, ComponentProps } from 'preact';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { JsonObject, RuleChoice } from '../../../protocol/types.ts';
import { isShell } from '../../../protocol/shell-tools.ts';
import type { ServerClock } from '../../clock.ts';
import { suggestRules } from '../../model/cards/rule-offers.ts';
import { t, tx } from '../../model/language.ts';
import { HOUR_MS } from '../../model/times.ts';
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
  readonly input: JsonObject;
  readonly clock: Pick<ServerClock, 'now'>;
  readonly panel: SessionPanel;
  readonly setPanel: (panel: 'decide' | SessionPanel) => void;
  readonly onApprove: (rule: ChosenRule) => void;
}

/** As an approval carries it. */
interface ChosenRule {
  readonly exact?: true;
  readonly everyCommand?: true;
  readonly rule?: RuleChoice;
}

type Duration = 'session' | 'hour' | 'day';
const DURATIONS: Readonly<Record<Duration, number | undefined>> = {
  session: undefined,
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
};

/** Approves this call and later ones in this session; every call of a shell in a second step. */
export function SessionOffer({ panel, setPanel, onApprove, ...offer }: SessionOfferProps) {
  const [duration, setDuration] = useState<Duration>('session');
  const approve = (chosen: ChosenRule) => {
    const ms = DURATIONS[duration];
    const expiry = ms !== undefined && { expiresAt: Math.round(offer.clock.now() + ms) };
    onApprove(expiry ? { ...chosen, rule: { ...chosen.rule, ...expiry } } : chosen);
  };
  if (panel === 'every command') {
    const back = () => setPanel('session');
    return (
      <EveryCommand {...offer} onApprove={() => approve({ everyCommand: true })} onCancel={back} />
    );
  }
  const choose = (chosen: ChosenRule | 'every') => {
    if (chosen !== 'every') approve(chosen);
    else if (isShell(offer.toolName)) setPanel('every command');
    else approve({});
  };
  return (
    <ChooseRule
      {...{ ...offer, duration, setDuration }}
      onApprove={choose}
      onCancel={() => setPanel('decide')}
    />
  );
}

interface ChooseRuleProps extends RuleOfferProps {
  readonly input: JsonObject;
  readonly duration: Duration;
  readonly setDuration: (duration: Duration) => void;
  readonly onApprove: (chosen: ChosenRule | 'every') => void;
}

/** The narrowest rule is the default; between it and the whole tool are those that fit the input. */
function ChooseRule({ toolName, input, held, hint, isBusy, ...on }: ChooseRuleProps) {
  const offers = useMemo(() => suggestRules(toolName, input), [toolName, input]);
  const [chosen, setChosen] = useState<number | 'exact' | 'every'>('exact');
  const first = useRef<HTMLInputElement>(null);
  const name = useId();
  // In a layout effect: otherwise the first letters that the person types go to the card.
  useLayoutEffect(() => first.current?.focus(), []);
  const approve = () => {
    const offer = typeof chosen === 'number' ? offers[chosen] : undefined;
    if (offer !== undefined) on.onApprove({ rule: offer.rule });
    else on.onApprove(chosen === 'every' ? 'every' : { exact: true });
  };
  const radio = (value: typeof chosen) => ({
    type: 'radio' as const,
    name,
    checked: chosen === value,
    onChange: () => setChosen(value),
  });
  const tool = <Literal text={toolName} />;
  return (
    <div class="session-offer">
      <fieldset disabled={isBusy}>
        <legend>{t('Allow without asking, for the rest of this session:')}</legend>
        <label class="choice">
          <input ref={first} {...radio('exact')} />
          <span>
            <strong>{tx('Only this exact {tool} call', { tool })}</strong>
            <span class="choice-more">{t('You are asked about any other input.')}</span>
          </span>
        </label>
        {offers.map(({ pattern, rule }, at) => (
          <label class="choice" key={pattern}>
            <input {...radio(at)} />
            <span>
              <strong>
                <code dir="ltr">
                  <Literal text={pattern} />
                </code>
              </strong>
              <span class="choice-more">{offerWords(rule)}</span>
            </span>
          </label>
        ))}
        <label class="choice">
          <input {...radio('every')} />
          <span>
            <strong>{tx('Every {tool} call', { tool })}</strong>
            <span class="choice-more">
              {t('You are not asked about this tool again in this session.')}
            </span>
          </span>
        </label>
        <label class="rule-until">
          <span>{t('Until')}</span>
          <select
            value={on.duration}
            onChange={({ currentTarget }) => on.setDuration(currentTarget.value as Duration)}
          >
            <option value="session">{t('the session ends')}</option>
            <option value="hour">{t('one hour from now')}</option>
            <option value="day">{t('one day from now')}</option>
          </select>
        </label>
      </fieldset>
      <div class="card-actions">
        <Button kind="primary" isBusy={isBusy} {...held} onClick={approve}>
          {t('Approve for the session')}
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={on.onCancel}>
          {t('Cancel')}
        </Button>
        {hint}
      </div>
    </div>
  );
}

function offerWords({ command, path }: RuleChoice): string {
  if (command !== undefined)
    return t(
      'Commands that begin with these words. Any option may follow, and some run other programs.',
    );
  return path === undefined
    ? t('Addresses of this host alone.')
    : t('Files in this folder and the folders in it; hidden ones are asked about.');
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
        {tx(
          '{tool} runs any command it is given. For the rest of this session it would run every command at once, including one that deletes or uploads files, without asking anyone.',
          {
            tool: (
              <strong>
                <Literal text={toolName} />
              </strong>
            ),
          },
        )}
      </p>
      <div class="card-actions">
        <Button kind="primary" isBusy={isBusy} {...held} onClick={on.onApprove}>
          {t('Allow every command')}
        </Button>
        <Button kind="quiet" disabled={isBusy} onClick={on.onCancel}>
          {t('Cancel')}
        </Button>
        {hint}
      </div>
    </div>
  );
}
