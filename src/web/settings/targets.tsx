import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { visibleText } from '../../protocol/escapes.ts';
import type { ServerClock } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { failureText } from '../model/failure.ts';
import { addressOf, type Location } from '../model/location.ts';
import { hasScope, type Person } from '../model/person.ts';
import * as model from '../model/targets.ts';
import { t } from '../model/language.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, Icon } from '../ui/button.tsx';
import type { MadeTarget, TargetRequests } from './settings-requests.ts';
import { TargetDetails } from './targets-details.tsx';
import { TargetForm } from './targets-form.tsx';
import { SecretSheet } from './targets-secret.tsx';

interface TargetsProps {
  readonly person: Person;
  readonly clock: ServerClock;
  /** The target that the address names. */
  readonly shown: string | undefined;
  readonly onGo: (location: Location) => void;
  readonly targets: (person: Person) => TargetRequests;
}

/** The targets of the workspace, or one of them. Only administrators see them. */
export function Targets({ person, clock, shown, onGo, targets }: TargetsProps) {
  const requests = useMemo(() => targets(person), [person, targets]);
  if (!hasScope(person, 'admin')) {
    return (
      <section class="settings-section" aria-labelledby="targets-title">
        <h2 id="targets-title">{t('Targets')}</h2>
        <p>
          {t(
            'Targets are receivers outside, such as webhooks, that are sent what opens and what is decided. Only administrators see and change them, because a target receives requests of the whole workspace. The link that you signed in with does not have that right. Ask an administrator, or sign in with an administrator’s key.',
          )}
        </p>
      </section>
    );
  }
  return <TargetsOfWorkspace {...{ requests, clock, shown, onGo }} />;
}

interface WorkspaceTargetsProps extends Pick<TargetsProps, 'clock' | 'shown' | 'onGo'> {
  readonly requests: TargetRequests;
}

function TargetsOfWorkspace({ requests, clock, shown, onGo }: WorkspaceTargetsProps) {
  const [list, setList] = useState<readonly model.ListedTarget[]>();
  const [problem, setProblem] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<MadeTarget>();
  const refresh = useCallback(async () => {
    try {
      setList(await requests.list());
      setProblem(undefined);
    } catch (cause) {
      setProblem(failureText(cause));
    }
  }, [requests]);
  useEffect(() => {
    void refresh();
    const seen = () => document.visibilityState === 'visible' && void refresh();
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, [refresh]);
  const change = (changed: model.ListedTarget) =>
    setList((before) => before?.map((one) => (one.id === changed.id ? changed : one)));

  const target = list?.find(({ id }) => id === shown);
  if (shown !== undefined && list !== undefined) {
    return (
      <>
        <p>
          <a class="back" href={addressOf({ settings: 'targets' })}>
            {t('All targets')}
          </a>
        </p>
        {target === undefined ? (
          <p>{t('There is no such target. It was deleted, or the link is incomplete.')}</p>
        ) : (
          <TargetDetails
            key={target.id}
            {...{ target, requests, clock }}
            onChange={change}
            onDeleted={() => {
              setList((before) => before?.filter(({ id }) => id !== target.id));
              onGo({ settings: 'targets' });
            }}
          />
        )}
      </>
    );
  }
  return (
    <section class="settings-section" aria-labelledby="targets-title">
      <div class="settings-head">
        <h2 id="targets-title">{t('Targets')}</h2>
        <Button kind="primary" disabled={list === undefined} onClick={() => setAdding(true)}>
          <Icon name="plus" />
          {t('Add target')}
        </Button>
      </div>
      <p class="muted">
        {t(
          'Receivers outside that are sent what opens and what is decided, and may answer. Only administrators see them.',
        )}
      </p>
      {list === undefined && problem === undefined && <p class="muted">{t('Loading…')}</p>}
      {problem !== undefined && (
        <div class="settings-failed">
          <FailureNote text={problem} />
          <Button onClick={() => void refresh()}>{t('Retry')}</Button>
        </div>
      )}
      {list?.length === 0 && (
        <div class="settings-empty">
          <h3>{t('No targets yet')}</h3>
          <p>
            {t('Add one to be called when a request opens, instead of keeping this page open.')}
          </p>
        </div>
      )}
      {list !== undefined && list.length > 0 && (
        <ul class="target-list" aria-label={t('Targets')}>
          {list.map((one) => (
            <TargetRow key={one.id} target={one} requests={requests} onChange={change} />
          ))}
        </ul>
      )}
      {isAdding && (
        <TargetForm
          title={t('Add target')}
          onClose={() => setAdding(false)}
          onSave={async (input) => {
            const fresh = await requests.create(input);
            setAdding(false);
            setMade(fresh);
            setList((before) => [...(before ?? []), fresh.target]);
          }}
        />
      )}
      {made !== undefined && (
        <SecretSheet
          title={t('Target added')}
          secrets={made}
          target={made.target}
          onClose={() => setMade(undefined)}
        />
      )}
    </section>
  );
}

interface TargetRowProps {
  readonly target: model.ListedTarget;
  readonly requests: TargetRequests;
  readonly onChange: (target: model.ListedTarget) => void;
}

function TargetRow({ target, requests, onChange }: TargetRowProps) {
  const { isBusy, failure, run } = useAsyncAction();
  const reading = useAsyncAction();
  const { run: read } = reading;
  const [failing, setFailing] = useState<string>();
  const { id, address, events, filter, audience, disabledAt } = target;
  useEffect(() => {
    setFailing(undefined);
    if (disabledAt !== null) return;
    void read(async () => setFailing(model.failingLine(await requests.deliveries(id))));
  }, [requests, id, disabledAt, read]);
  const state = model.stateOf(target, failing);
  const reason = model.stateReason(state);
  const title = visibleText(model.titleOfTarget(target));
  const enable = async () => onChange(await requests.update(id, { enabled: true }));
  return (
    <li class="target-row">
      <div class="target-line">
        <a class="target-name" href={addressOf({ settings: 'targets', target: id })}>
          {title}
        </a>
        <Badge mood={model.STATE_MOODS[state]}>{model.stateWords(state)}</Badge>
      </div>
      <p class="about">
        {visibleText(model.typeWords(target))}
        {title !== address && <> · {visibleText(address)}</>}
      </p>
      <p class="about">
        {model.eventsLine(events)}
        {model.filterLine(filter) !== undefined && (
          <>. {visibleText(model.filterLine(filter) ?? '')}</>
        )}
        {audience !== undefined &&
          `. ${t('Answers as {audience}', { audience: visibleText(audience) })}`}
      </p>
      {state === 'failing' && <p class="target-reason failing">{failing}</p>}
      {reason !== undefined && (
        <div class={`target-reason ${state}`}>
          <p>{reason}</p>
          <Button
            isBusy={isBusy}
            aria-label={t('Enable {title}', { title })}
            onClick={() => void run(enable)}
          >
            {t('Enable')}
          </Button>
        </div>
      )}
      <FailureNote text={failure ?? reading.failure} />
    </li>
  );
}
