import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { visibleText } from '../../protocol/escapes.ts';
import type { SignInView } from '../../protocol/schema/person.ts';
import type { TokenView } from '../../protocol/schema/workspace.ts';
import { type ServerClock, useNow } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { t } from '../model/language.ts';
import { hasScope, type Person } from '../model/person.ts';
import { absoluteTime } from '../model/absolute-time.ts';
import { MINUTE_MS, relativeTime } from '../model/times.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { type OwnCredentials, type PeopleRequests, serverPeople } from './people-requests.ts';

interface SignInsProps {
  readonly person: Person;
  readonly clock: ServerClock;
  /** Left out, the server that served this page. */
  readonly people?: (person: Person) => PeopleRequests;
}

interface Loaded extends OwnCredentials {
  /** Of everybody else; administrators alone see them. */
  readonly others: readonly SignInView[];
}

/** Where the person is signed in, and the tokens in their name. An administrator also sees everybody's. */
export function SignIns({ person, clock, people = serverPeople }: SignInsProps) {
  const requests = useMemo(() => people(person), [person, people]);
  const isAdmin = hasScope(person, 'admin');
  const [loaded, setLoaded] = useState<Loaded>();
  const { isBusy, failure, run } = useAsyncAction();
  const now = useNow(clock, MINUTE_MS);
  const refresh = useCallback(async () => {
    const [own, all] = await Promise.all([requests.own(), isAdmin ? requests.signIns() : []]);
    setLoaded({ ...own, others: all.filter(({ subject }) => subject !== person.subject) });
  }, [requests, isAdmin, person]);
  useEffect(() => void run(refresh), [run, refresh]);
  const act = (work: () => Promise<void>) =>
    void run(async () => {
      await work();
      await refresh();
    });
  const hasOthers = (loaded?.signIns.filter(({ id }) => id !== loaded.current) ?? []).length > 0;
  return (
    <section class="settings-section" aria-labelledby="sign-ins-title">
      <div class="settings-head">
        <h2 id="sign-ins-title">{t('Signed in')}</h2>
        {hasOthers && (
          <Button isBusy={isBusy} onClick={() => act(() => requests.endOtherSignIns())}>
            {t('Sign out everywhere else')}
          </Button>
        )}
      </div>
      <p class="muted">
        {t(
          'Browsers in which you are signed in, and tokens that act in your name. End what you do not know.',
        )}
      </p>
      <FailureNote text={failure} />
      {loaded?.signIns.length === 0 && loaded.tokens.length === 0 && (
        <p>{t('No browser is signed in with a login, and there is no token in your name.')}</p>
      )}
      {loaded !== undefined && loaded.signIns.length > 0 && (
        <ul class="target-list" aria-label={t('Browsers')}>
          {loaded.signIns.map((one) => (
            <SignInRow
              key={one.id}
              signIn={one}
              isCurrent={one.id === loaded.current}
              {...{ now, isBusy }}
              onEnd={() => act(() => requests.endOwnSignIn(one.id))}
            />
          ))}
        </ul>
      )}
      {loaded !== undefined && loaded.tokens.length > 0 && (
        <ul class="target-list" aria-label={t('Tokens')}>
          {loaded.tokens.map((one) => (
            <OwnTokenRow
              key={one.id}
              token={one}
              isCurrent={one.id === loaded.current}
              {...{ now, isBusy }}
              onEnd={() => act(() => requests.deleteOwnToken(one.id))}
            />
          ))}
        </ul>
      )}
      {loaded !== undefined && loaded.others.length > 0 && (
        <>
          <h3>{t('Everybody else')}</h3>
          <ul class="target-list" aria-label={t('Everybody else')}>
            {loaded.others.map((one) => (
              <SignInRow
                key={one.id}
                signIn={one}
                who={visibleText(one.subject)}
                isCurrent={false}
                {...{ now, isBusy }}
                onEnd={() => act(() => requests.endSignIn(one.id))}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface SignInRowProps {
  readonly isCurrent: boolean;
  readonly isBusy: boolean;
  readonly now: number;
  readonly onEnd: () => void;
}

function SignInRow(props: SignInRowProps & { readonly signIn: SignInView; readonly who?: string }) {
  const { signIn, who, isCurrent, isBusy, now, onEnd } = props;
  const browser = visibleText(signIn.browser);
  const name = who === undefined ? browser : `${who}: ${browser}`;
  return (
    <li class="device-row">
      <div>
        <strong>{name}</strong> {isCurrent && <Badge mood="good">{t('This browser')}</Badge>}
        <p class="muted">
          {[
            ...(signIn.place === null ? [] : [visibleText(signIn.place)]),
            t('last used {time}', { time: relativeTime(signIn.usedAt, now) }),
            t('signed in until {time}', { time: absoluteTime(signIn.expiresAt) }),
          ].join(' · ')}
        </p>
      </div>
      {!isCurrent && (
        <Button disabled={isBusy} aria-label={t('Sign out {name}', { name })} onClick={onEnd}>
          {t('Sign out')}
        </Button>
      )}
    </li>
  );
}

function OwnTokenRow(props: SignInRowProps & { readonly token: TokenView }) {
  const { token, isCurrent, isBusy, now, onEnd } = props;
  return (
    <li class="device-row">
      <div>
        <strong>{token.scopes.join(', ')}</strong>{' '}
        {isCurrent && <Badge mood="good">{t('This browser')}</Badge>}
        <p class="muted">
          {[
            t('made {time}', { time: relativeTime(token.createdAt, now) }),
            t('good until {time}', { time: absoluteTime(token.expiresAt) }),
          ].join(' · ')}
        </p>
      </div>
      {!isCurrent && (
        <Button
          disabled={isBusy}
          aria-label={t('Revoke the token for {name}', { name: token.scopes.join(', ') })}
          onClick={onEnd}
        >
          {t('Revoke')}
        </Button>
      )}
    </li>
  );
}
