import { useState } from 'preact/hooks';
import { visibleText } from '../../protocol/escapes.ts';
import type { ServerClock } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import * as model from '../model/targets.ts';
import { absoluteTime } from '../model/absolute-time.ts';
import { t } from '../model/language.ts';
import { nameOfSubject } from '../model/names.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/sheet.tsx';
import { Literal } from '../ui/literal.tsx';
import type { TargetRequests, TargetSecrets } from './settings-requests.ts';
import { TargetDeliveries } from './targets-deliveries.tsx';
import { TargetForm } from './targets-form.tsx';
import { SecretSheet } from './targets-secret.tsx';

interface TargetDetailsProps {
  readonly target: model.ListedTarget;
  readonly requests: TargetRequests;
  readonly clock: ServerClock;
  readonly onChange: (target: model.ListedTarget) => void;
  readonly onDeleted: () => void;
}

/** One target: its settings, its test, its secret, and what was sent to it. */
export function TargetDetails({
  target,
  requests,
  clock,
  onChange,
  onDeleted,
}: TargetDetailsProps) {
  const { id, type, disabledAt } = target;
  const [isEditing, setEditing] = useState(false);
  const [secrets, setSecrets] = useState<TargetSecrets>();
  const [tested, setTested] = useState<model.Delivery>();
  const [count, setCount] = useState(0);
  const changing = useAsyncAction();
  const testing = useAsyncAction();
  const [failing, setFailing] = useState<string>();
  const state = model.stateOf(target, failing);
  const reason = model.stateReason(state);
  const setEnabled = async (enabled: boolean) => onChange(await requests.update(id, { enabled }));
  const test = async () => {
    setTested(undefined);
    setTested(await requests.test(id));
    setCount((before) => before + 1);
  };
  return (
    <section class="settings-section" aria-labelledby="target-title">
      <div class="settings-head">
        <h2 id="target-title">{visibleText(model.titleOfTarget(target))}</h2>
        <Badge mood={model.STATE_MOODS[state]}>{model.stateWords(state)}</Badge>
      </div>
      {state === 'failing' && <p class="target-reason failing">{failing}</p>}
      {reason !== undefined && (
        <div class={`target-reason ${state}`}>
          <p>
            {reason}
            {disabledAt !== null && ` ${t('Since {when}.', { when: absoluteTime(disabledAt) })}`}
          </p>
          <Button
            isBusy={changing.isBusy}
            onClick={() => void changing.run(() => setEnabled(true))}
          >
            {t('Enable')}
          </Button>
        </div>
      )}
      <TargetFacts target={target} />
      <div class="choices">
        <Button isBusy={testing.isBusy} onClick={() => void testing.run(test)}>
          {t('Send test')}
        </Button>
        {disabledAt === null && (
          <Button
            isBusy={changing.isBusy}
            onClick={() => void changing.run(() => setEnabled(false))}
          >
            {t('Pause')}
          </Button>
        )}
        {model.isEditable(target) && <Button onClick={() => setEditing(true)}>{t('Edit')}</Button>}
        {type === 'webhook' && (
          <ConfirmButton
            words={t('Rotate secret')}
            warning={t(
              'A new secret and a new key are made. The old ones stay valid for a day, so that the receiver can change.',
            )}
            confirm={t('Rotate secret')}
            kind="primary"
            onConfirm={async () => setSecrets(await requests.rotate(id))}
          />
        )}
        <ConfirmButton
          words={t('Delete target')}
          warning={t(
            'Nothing more is sent to {target}, its answers are refused, and its deliveries are erased. This cannot be undone.',
            { target: visibleText(model.titleOfTarget(target)) },
          )}
          confirm={t('Delete permanently')}
          onConfirm={async () => {
            await requests.remove(id);
            onDeleted();
          }}
        />
      </div>
      <FailureNote text={changing.failure ?? testing.failure} />
      <TestResult delivery={tested} isBusy={testing.isBusy} />
      <TargetDeliveries
        {...{ id, requests, clock }}
        refreshes={count}
        onRead={(newest) => setFailing(model.failingLine(newest))}
      />
      {isEditing && (
        <TargetForm
          title={t('Edit target')}
          target={target}
          onClose={() => setEditing(false)}
          onSave={async (changes) => {
            onChange(await requests.update(id, changes));
            setEditing(false);
          }}
        />
      )}
      {secrets !== undefined && (
        <SecretSheet
          title={t('Secret rotated')}
          {...{ secrets, target }}
          onClose={() => setSecrets(undefined)}
        />
      )}
    </section>
  );
}

function TargetFacts({ target }: { readonly target: model.ListedTarget }) {
  const { id, name, address, events, filter, audience, createdAt, createdBy } = target;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('Type'), model.typeWords(target)],
    [t('Name'), name],
    [t('Address'), address || undefined],
    [t('Request URL of the Slack app'), model.slackAddressOf(target, location.origin)],
    [t('Events'), model.eventsLine(events)],
    [t('Filter'), model.filterLine(filter)],
    [t('Answers as'), audience],
    [
      t('Added'),
      t('{when} by {name}', { when: absoluteTime(createdAt), name: nameOfSubject(createdBy) }),
    ],
    [t('Id'), id],
  ];
  return (
    <dl class="facts">
      {facts.map(
        ([name, text]) =>
          text !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{visibleText(text)}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface TestResultProps {
  readonly delivery: model.Delivery | undefined;
  readonly isBusy: boolean;
}

/** Announced when it arrives. A receiver has ten seconds, so the screen says that it waits. */
function TestResult({ delivery, isBusy }: TestResultProps) {
  const state = delivery && model.deliveryState(delivery);
  return (
    <div role="status" class="test-result">
      {isBusy && <p class="muted">{t('Waiting for the receiver…')}</p>}
      {delivery !== undefined && state !== undefined && (
        <>
          <p>
            <Badge mood={model.DELIVERY_MOODS[state]}>{model.deliveryWords(state)}</Badge>{' '}
            {delivery.last && visibleText(model.attemptLine(delivery.last))}
          </p>
          {delivery.last !== null && delivery.last.body !== '' && (
            <pre class="response">
              <Literal text={delivery.last.body} />
            </pre>
          )}
        </>
      )}
    </div>
  );
}
