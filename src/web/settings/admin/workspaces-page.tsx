import { useCallback, useState } from 'preact/hooks';
import type { WorkspaceEntry } from '../../../protocol/types.ts';
import type { ServerClock } from '../../clock.ts';
import { FailureNote, useAsyncAction } from '../../hooks/use-async-action.tsx';
import { t } from '../../model/language.ts';
import { browser } from '../../browser.ts';
import { keepHome } from '../../model/home-workspace.ts';
import type { KeyValueStore } from '../../model/key-value-store.ts';
import type { Person } from '../../model/person.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Literal } from '../../ui/literal.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { TextField } from '../form-fields.tsx';
import { HOUR_MS } from '../../model/times.ts';
import type { AdminRequests } from './admin-requests.ts';
import { LoadState, useLoaded } from './use-loaded.tsx';

interface WorkspacesPageProps {
  readonly requests: AdminRequests;
  readonly clock: ServerClock;
  readonly person: Person;
  readonly store?: KeyValueStore;
}

/** The workspaces of the deployment: each has its own sessions, keys, people and audit list. */
export function WorkspacesPage(props: WorkspacesPageProps) {
  const { requests, clock, person, store = browser.store } = props;
  const loaded = useLoaded(useCallback(() => requests.workspaces(), [requests]));
  const [edited, setEdited] = useState<WorkspaceEntry | 'new'>();
  const opening = useAsyncAction();
  const list = loaded.value;
  const open = (name: string) =>
    void opening.run(async () => {
      const secret = await openWorkspace(requests, name, person, clock);
      keepHome(store, { title: titleOf(list?.current), token: person.token }, secret);
      location.assign(entryAddress(secret));
    });
  const titleOf = (name = '') => list?.workspaces.find((one) => one.name === name)?.title ?? name;
  return (
    <section class="settings-section" aria-labelledby="workspaces-title">
      <div class="settings-head">
        <h2 id="workspaces-title">{t('Workspaces')}</h2>
        {list?.mayCreate === true && (
          <Button kind="primary" onClick={() => setEdited('new')}>
            {t('Create workspace')}
          </Button>
        )}
      </div>
      <p class="muted">
        {t(
          'Each workspace has its own sessions, keys, targets, settings and audit list. Opening another one signs you in there for eight hours. The list of sessions leads back.',
        )}
      </p>
      <LoadState loaded={loaded} />
      <FailureNote text={opening.failure} />
      {list !== undefined && (
        <ul class="target-list" aria-label={t('Workspaces')}>
          {list.workspaces.map((one) => (
            <li key={one.name} class="target-row">
              <div class="target-line">
                <strong dir="auto">
                  <Literal text={one.title} />
                </strong>
                {one.name === list.current && <Badge mood="good">{t('You are here')}</Badge>}
              </div>
              {one.title !== one.name && (
                <p class="muted">
                  <code>{one.name}</code>
                </p>
              )}
              <div class="choices">
                {one.name !== list.current && (
                  <Button
                    isBusy={opening.isBusy}
                    aria-label={t('Open {name}', { name: one.title })}
                    onClick={() => open(one.name)}
                  >
                    {t('Open')}
                  </Button>
                )}
                <Button
                  aria-label={t('Rename {name}', { name: one.title })}
                  onClick={() => setEdited(one)}
                >
                  {t('Rename')}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {edited !== undefined && (
        <WorkspaceForm
          edited={edited}
          onClose={() => setEdited(undefined)}
          onSave={async (name, title) => {
            if (edited === 'new') await requests.createWorkspace(name, title);
            else await requests.renameWorkspace(name, title);
            setEdited(undefined);
            await loaded.reload();
          }}
        />
      )}
    </section>
  );
}

interface WorkspaceFormProps {
  readonly edited: WorkspaceEntry | 'new';
  readonly onClose: () => void;
  readonly onSave: (name: string, title: string) => Promise<void>;
}

function WorkspaceForm({ edited, onClose, onSave }: WorkspaceFormProps) {
  const isNew = edited === 'new';
  const [name, setName] = useState(isNew ? '' : edited.name);
  const [title, setTitle] = useState(isNew ? '' : edited.title);
  const [isTried, setTried] = useState(false);
  const { isBusy, failure, run } = useAsyncAction();
  const problem = /^[a-z][a-z0-9-]{0,39}$/.test(name)
    ? undefined
    : t('Use small letters, digits and dashes, at most 40');
  const submit = async (event: Event) => {
    event.preventDefault();
    setTried(true);
    if (problem !== undefined) return;
    const shown = title.trim() === '' ? name : title.trim();
    await run(() => onSave(name, shown));
  };
  return (
    <Sheet
      title={isNew ? t('Create workspace') : t('Rename workspace')}
      side="middle"
      onClose={onClose}
    >
      <form class="target-form" onSubmit={(event) => void submit(event)} noValidate>
        {isNew && (
          <TextField
            id="workspace-name"
            label={t('Name')}
            hint={t('Short, such as docs-team. It stays, because keys hold it.')}
            value={name}
            problem={isTried ? problem : undefined}
            onWrite={setName}
          />
        )}
        <TextField
          id="workspace-title"
          label={t('Title')}
          hint={t('What people read. It can be changed.')}
          value={title}
          onWrite={setTitle}
        />
        <FailureNote text={failure} />
        <div class="choices">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {isNew ? t('Create workspace') : t('Save')}
          </Button>
          <Button onClick={onClose}>{t('Cancel')}</Button>
        </div>
      </form>
    </Sheet>
  );
}

/** A working day: the next one begins with another entry. */
const WORKSPACE_ENTRY_MS = 8 * HOUR_MS;
/** The admin key has no name that a person may have. */
const ADMIN_SUBJECT = 'admin';

/** Makes a key of the workspace for this person, and resolves with its secret. */
export function openWorkspace(
  requests: Pick<AdminRequests, 'createWorkspaceKey'>,
  name: string,
  person: Pick<Person, 'subject'>,
  clock: ServerClock,
): Promise<string> {
  return requests.createWorkspaceKey(name, {
    name: person.subject === ADMIN_SUBJECT ? 'administrator' : person.subject,
    scopes: ['admin'],
    expiresAt: Math.round(clock.now() + WORKSPACE_ENTRY_MS),
  });
}

/** The page there asks before it replaces the signed-in person. */
export function entryAddress(secret: string): string {
  return `/#token=${encodeURIComponent(secret)}`;
}
