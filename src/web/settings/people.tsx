import { useCallback, useEffect, useId, useMemo, useState } from 'preact/hooks';
import type { GroupView } from '../../protocol/schema/audience-rule.ts';
import { COOKIE } from '../../protocol/credential-headers.ts';
import { visibleText } from '../../protocol/escapes.ts';
import type { PersonEnds, PersonView } from '../../protocol/schema/person.ts';
import { type ServerClock, useNow } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { failureText } from '../model/failure.ts';
import { t } from '../model/language.ts';
import { forgetPerson, hasScope, type Person } from '../model/person.ts';
import { storeIn } from '../model/key-value-store.ts';
import { MINUTE_MS, relativeTime } from '../model/times.ts';
import { beginLogin, fetchBrowserSession } from '../sign-in-requests.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Groups } from './groups.tsx';
import { type PeopleRequests, serverPeople } from './people-requests.ts';
import { PersonForm, roleWords } from './person-form.tsx';

interface PeopleSectionProps {
  readonly person: Person;
  readonly clock: ServerClock;
  /** Left out, the server that served this page. */
  readonly people?: (person: Person) => PeopleRequests;
}

/** The people of the workspace, for administrators. */
export function PeopleSection({ person, clock, people = serverPeople }: PeopleSectionProps) {
  const requests = useMemo(() => people(person), [person, people]);
  if (!hasScope(person, 'admin')) {
    return (
      <section class="settings-section" aria-labelledby="people-title">
        <h2 id="people-title">{t('People')}</h2>
        <p>{t('Only administrators see and change who is in this workspace.')}</p>
      </section>
    );
  }
  return <PeopleOfWorkspace {...{ requests, clock, person }} />;
}

type ShownSheet =
  | { readonly what: 'invite' }
  | { readonly what: 'change' | 'remove'; readonly person: PersonView };

interface MadeInvitation {
  readonly email: string;
  readonly link: string | null;
}

interface LoadedPeople {
  readonly people: readonly PersonView[];
  readonly groups: readonly GroupView[];
}

function PeopleOfWorkspace(props: {
  readonly requests: PeopleRequests;
  readonly clock: ServerClock;
  readonly person: Person;
}) {
  const { requests, clock, person: me } = props;
  const [loaded, setLoaded] = useState<LoadedPeople>();
  const [problem, setProblem] = useState<string>();
  const [shown, setShown] = useState<ShownSheet>();
  // Apart from `shown`: the form that closes reports so after the invitation is there.
  const [invited, setInvited] = useState<MadeInvitation>();
  const now = useNow(clock, MINUTE_MS);
  const refresh = useCallback(async () => {
    try {
      const [people, groups] = await Promise.all([requests.people(), requests.groups()]);
      setLoaded({ people, groups });
      setProblem(undefined);
    } catch (cause) {
      setProblem(failureText(cause));
    }
  }, [requests]);
  useEffect(() => void refresh(), [refresh]);
  const close = () => setShown(undefined);
  const after = async (work: Promise<void>) => {
    await work;
    await refresh();
    close();
  };
  const groupNames = loaded?.groups.map(({ name }) => name) ?? [];
  const present = loaded?.people.filter(({ status }) => status !== 'removed') ?? [];
  const former = loaded?.people.filter(({ status }) => status === 'removed') ?? [];
  const row = (one: PersonView) => (
    <PersonRow
      key={one.subject}
      person={one}
      now={now}
      onChange={() => setShown({ what: 'change', person: one })}
      onRemove={() => setShown({ what: 'remove', person: one })}
    />
  );
  return (
    <>
      <section class="settings-section" aria-labelledby="people-title">
        <div class="settings-head">
          <h2 id="people-title">{t('People')}</h2>
          <Button
            kind="primary"
            disabled={loaded === undefined}
            onClick={() => setShown({ what: 'invite' })}
          >
            {t('Invite a person')}
          </Button>
        </div>
        <p class="muted">
          {t(
            'Who may sign in, and what each may do. A person who is removed loses all access at once.',
          )}
        </p>
        <BecomeAdministrator {...{ requests, me }} />
        {loaded === undefined && problem === undefined && <p class="muted">{t('Loading…')}</p>}
        {problem !== undefined && (
          <div class="settings-failed">
            <FailureNote text={problem} />
            <Button onClick={() => void refresh()}>{t('Retry')}</Button>
          </div>
        )}
        {loaded !== undefined && present.length === 0 && (
          <div class="settings-empty">
            <h3>{t('Nobody is in the directory yet')}</h3>
            <p>{t('Invite the people who decide here. Until then, links sign people in.')}</p>
          </div>
        )}
        {present.length > 0 && (
          <ul class="target-list" aria-label={t('People')}>
            {present.map(row)}
          </ul>
        )}
        {former.length > 0 && (
          <details class="former">
            <summary>{t('Removed people')}</summary>
            <ul class="target-list" aria-label={t('Removed people')}>
              {former.map((one) => (
                <li key={one.subject} class="target-row target-line">
                  <span>{visibleText(one.name ?? one.subject)}</span>
                  <Button
                    aria-label={t('Invite {name} again', { name: visibleText(one.subject) })}
                    onClick={() => {
                      const email = one.email ?? one.subject;
                      const draft = { email, name: one.name ?? '', role: one.role, groups: [] };
                      requests.invite(draft).then(
                        (link) => {
                          setInvited({ email, link });
                          void refresh();
                        },
                        (cause: unknown) => setProblem(failureText(cause)),
                      );
                    }}
                  >
                    {t('Invite again')}
                  </Button>
                </li>
              ))}
            </ul>
          </details>
        )}
      </section>
      {loaded !== undefined && (
        <Groups groups={loaded.groups} people={present} requests={requests} onChange={refresh} />
      )}
      {shown?.what === 'invite' && (
        <PersonForm
          title={t('Invite a person')}
          person={undefined}
          groups={groupNames}
          onClose={close}
          onSave={async (draft) => {
            const link = await requests.invite(draft);
            await refresh();
            close();
            setInvited({ email: draft.email, link });
          }}
        />
      )}
      {shown?.what === 'change' && (
        <PersonForm
          title={visibleText(shown.person.name ?? shown.person.subject)}
          person={shown.person}
          groups={groupNames}
          onClose={close}
          onSave={(draft) => after(requests.update(shown.person.subject, draft))}
        />
      )}
      {shown?.what === 'remove' && (
        <RemovePerson
          person={shown.person}
          requests={requests}
          onClose={close}
          onRemove={() => after(requests.remove(shown.person.subject))}
        />
      )}
      {invited !== undefined && <Invited {...invited} onClose={() => setInvited(undefined)} />}
    </>
  );
}

interface PersonRowProps {
  readonly person: PersonView;
  readonly now: number;
  readonly onChange: () => void;
  readonly onRemove: () => void;
}

function PersonRow({ person, now, onChange, onRemove }: PersonRowProps) {
  const { name, subject, email, role, groups, status, lastSeenAt } = person;
  const title = visibleText(name ?? subject);
  return (
    <li class="target-row">
      <div class="target-line">
        <strong dir="auto">{title}</strong>
        <Badge mood={status === 'invited' ? 'plain' : 'good'}>
          {status === 'invited' ? t('Invited') : roleWords(role)}
        </Badge>
      </div>
      <p class="muted">
        {[
          ...(name === null ? [] : [visibleText(email ?? subject)]),
          ...(status === 'invited' ? [roleWords(role)] : []),
          ...groups,
          ...(lastSeenAt === null
            ? []
            : [t('last seen {time}', { time: relativeTime(lastSeenAt, now) })]),
        ].join(' · ')}
      </p>
      <div class="choices">
        <Button aria-label={t('Change {name}', { name: title })} onClick={onChange}>
          {t('Change')}
        </Button>
        <Button aria-label={t('Remove {name}', { name: title })} onClick={onRemove}>
          {t('Remove')}
        </Button>
      </div>
    </li>
  );
}

interface RemovePersonProps {
  readonly person: PersonView;
  readonly requests: PeopleRequests;
  readonly onClose: () => void;
  readonly onRemove: () => Promise<void>;
}

/** Says what ends before it ends. */
function RemovePerson({ person, requests, onClose, onRemove }: RemovePersonProps) {
  const [ends, setEnds] = useState<PersonEnds>();
  const { isBusy, failure, run } = useAsyncAction();
  useEffect(() => {
    void run(async () => setEnds(await requests.ends(person.subject)));
  }, [person, requests, run]);
  // From the first draw on: a press before the reading begins would be taken, and then dropped.
  const isReading = ends === undefined && failure === undefined;
  const name = visibleText(person.name ?? person.subject);
  return (
    <Sheet title={t('Remove {name}?', { name })} side="middle" onClose={onClose}>
      <p>
        {t(
          'All of it ends at once, and open pages close. Decisions stay in the audit list under the name.',
        )}
      </p>
      {ends !== undefined && (
        <ul>
          <li>{t('Signed-in browsers: {count}', { count: ends.signIns })}</li>
          <li>{t('Tokens: {count}', { count: ends.tokens })}</li>
          <li>{t('Devices with notifications: {count}', { count: ends.devices })}</li>
        </ul>
      )}
      <FailureNote text={failure} />
      <div class="choices">
        <Button kind="danger" isBusy={isBusy || isReading} onClick={() => void run(onRemove)}>
          {t('Remove')}
        </Button>
        <Button onClick={onClose}>{t('Cancel')}</Button>
      </div>
    </Sheet>
  );
}

interface InvitedProps extends MadeInvitation {
  readonly onClose: () => void;
}

/** Nothing is sent by the server: the administrator gives the person the address or the link. */
function Invited({ email, link, onClose }: InvitedProps) {
  const id = useId();
  const value = link ?? location.origin;
  return (
    <Sheet title={t('Invited')} side="middle" onClose={onClose}>
      <p>
        {link === null
          ? t('{email} can sign in now, at this address:', { email: visibleText(email) })
          : t(
              'Give this link to {email}. It signs one person in once, within a week, and is shown only now.',
              {
                email: visibleText(email),
              },
            )}
      </p>
      <div class="copy-field">
        <label for={id}>{link === null ? t('Address') : t('Invitation link')}</label>
        <span class="copy-line">
          <input id={id} readOnly value={value} />
          <CopyButton text={value} label={t('Copy')} />
        </span>
      </div>
      <div class="choices">
        <Button kind="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      </div>
    </Sheet>
  );
}

/** For the first administrator: a key or a link is no person, and a login makes one of it. */
function BecomeAdministrator(props: { readonly requests: PeopleRequests; readonly me: Person }) {
  const { requests, me } = props;
  const [name, setName] = useState<string>();
  const { isBusy, failure, run } = useAsyncAction();
  useEffect(() => {
    if (me.token === COOKIE) return;
    void run(async () => setName((await fetchBrowserSession()).login?.name));
  }, [me, run]);
  if (name === undefined) return null;
  const claim = async () => {
    const address = await beginLogin('/#settings=people', await requests.adminInvitation());
    // What is kept would win over the login.
    forgetPerson(storeIn(() => localStorage));
    location.assign(address);
  };
  return (
    <div class="target-reason">
      <p>
        {t(
          'You are here with a key. Sign in with {name} to be an administrator under your own name.',
          { name },
        )}
      </p>
      <Button isBusy={isBusy} onClick={() => void run(claim)}>
        {t('Become administrator')}
      </Button>
      <FailureNote text={failure} />
    </div>
  );
}
