import { useEffect, useMemo, useState } from 'preact/hooks';
import type { WorkspaceEntry } from '../../protocol/types.ts';
import { COOKIE } from '../../protocol/credential-headers.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { ServerClock } from '../clock.ts';
import { FailureNote, useAsyncAction } from '../hooks/use-async-action.tsx';
import { keepHome, loadHome, type HomeWorkspace } from '../model/home-workspace.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { t } from '../model/language.ts';
import { forgetPerson, hasScope, type Person } from '../model/person.ts';
import { type AdminRequests, serverAdmin } from '../settings/admin/admin-requests.ts';
import { entryAddress, openWorkspace } from '../settings/admin/workspaces-page.tsx';
import { adoptStyle } from '../styles/adopt-style.ts';
import workspacesStyle from '../styles/workspaces.css?inline';
import { Button, Icon } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';

adoptStyle(workspacesStyle);

type WorkspaceRequests = Pick<AdminRequests, 'workspaces' | 'createWorkspaceKey'>;

interface WorkspaceSwitchProps {
  readonly person: Person;
  readonly store: KeyValueStore;
  readonly clock: ServerClock;
  /** Left out, the server that served this page. */
  readonly requests?: (person: Person) => WorkspaceRequests;
  readonly onLeave?: (address: string) => void;
}

/**
 * The workspace that is open, and the way to the others. A credential is of one workspace (TEAM-8): only an administrator
 * of `main` sees several, and enters another one with a new key of it, for eight hours.
 */
export function WorkspaceSwitch(props: WorkspaceSwitchProps) {
  const { person, store, clock, requests = serverAdmin, onLeave = leaveTo } = props;
  const server = useMemo(() => requests(person), [requests, person]);
  const listed = useWorkspaces(server, person);
  const [isOpen, setOpen] = useState(false);
  const { isBusy, failure, run } = useAsyncAction();
  const home = loadHome(store, person.token);
  if (listed === undefined) return null;
  const { workspaces, current } = listed;
  const others = workspaces.filter(({ name }) => name !== current);
  if (others.length === 0 && home === undefined) return null;
  const title = workspaces.find(({ name }) => name === current)?.title ?? current;
  const enter = ({ name }: WorkspaceEntry) =>
    void run(async () => {
      const secret = await openWorkspace(server, name, person, clock);
      keepHome(store, { title, token: person.token }, secret);
      onLeave(entryAddress(secret));
    });
  const goHome = ({ token }: HomeWorkspace) => {
    // The cookie signs in again once no token is kept.
    if (token === COOKIE) forgetPerson(store);
    onLeave(token === COOKIE ? '/' : entryAddress(token));
  };
  return (
    <>
      <button
        type="button"
        class="way workspace-switch"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span class="unseen">{t('Workspace')} </span>
        <span class="workspace-title" dir="auto">
          {escapeInvisible(title)}
        </span>
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <Sheet title={t('Workspaces')} side="middle" onClose={() => setOpen(false)}>
          <p class="muted">{t('You are in {name}.', { name: escapeInvisible(title) })}</p>
          <FailureNote text={failure} />
          <ul class="workspace-list" aria-label={t('Workspaces')}>
            {home !== undefined && (
              <li>
                <Button kind="primary" isBusy={isBusy} onClick={() => goHome(home)}>
                  {t('Back to {name}', { name: escapeInvisible(home.title) })}
                </Button>
              </li>
            )}
            {others.map((one) => (
              <li key={one.name}>
                <Button isBusy={isBusy} onClick={() => enter(one)}>
                  {t('Open {name}', { name: escapeInvisible(one.title) })}
                </Button>
              </li>
            ))}
          </ul>
          {others.length > 0 && (
            <p class="muted">
              {t('Opening makes a key of that workspace, for eight hours. Its audit list has it.')}
            </p>
          )}
        </Sheet>
      )}
    </>
  );
}

interface SwitchableWorkspaces {
  readonly workspaces: readonly WorkspaceEntry[];
  readonly current: string;
}

/** Undefined where the person may not list them, or there is no such list: then there is nothing to switch to. */
function useWorkspaces(
  server: WorkspaceRequests,
  person: Person,
): SwitchableWorkspaces | undefined {
  const [listed, setListed] = useState<SwitchableWorkspaces>();
  const mayList = person.session === null && hasScope(person, 'admin');
  useEffect(() => {
    setListed(undefined);
    if (!mayList) return;
    let isWanted = true;
    server.workspaces().then(
      (found) => isWanted && setListed(found),
      // The page of the settings says why they cannot be listed.
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [server, mayList]);
  return listed;
}

function leaveTo(address: string): void {
  location.assign(address);
  // Only the fragment may differ, and then the page would not load anew.
  if (address === '/') location.reload();
}
