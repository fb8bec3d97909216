/**
 * The settings of the workspace and of the person: a list of sections, and the section that the address names.
 *
 * This file and what it imports are fetched when the settings are opened for the first time, with their style.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { ServerClock } from '../clock.ts';
import { addressOf, type Location } from '../model/location.ts';
import { MenuButton } from '../ui/menu-button.tsx';
import { hasScope, type Person } from '../model/person.ts';
import { SECTIONS, sectionsFor, type SettingsSection } from '../model/settings-sections.ts';
import { t } from '../model/language.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import settingsStyle from '../styles/settings.css?inline';
import type { AdminRequests } from './admin/admin-requests.ts';
import { Alerts, Devices } from './devices.tsx';
import { Appearance } from './appearance.tsx';
import { ConnectAgent } from './connect-agent.tsx';
import { PeopleSection } from './people.tsx';
import {
  type KeyRequests,
  serverKeys,
  type RuleRequests,
  serverRules,
  serverTargets,
  type TargetRequests,
} from './settings-requests.ts';
import { Rules } from './rules.tsx';
import { SignIns } from './sign-ins.tsx';
import { Targets } from './targets.tsx';
import type { AdminPageProps } from './admin/admin-page.tsx';

adoptStyle(settingsStyle);

export interface SettingsProps {
  readonly location: Location;
  readonly person: Person;
  readonly transport: Pick<Transport, 'subscribeInbox'>;
  readonly clock: ServerClock;
  readonly onGo: (location: Location) => void;
  readonly onMenu: () => void;
  /** Left out, the server that served this page. */
  readonly targets?: (person: Person) => TargetRequests;
  /** Likewise. */
  readonly keys?: (person: Person) => KeyRequests;
  /** Likewise. */
  readonly rules?: (person: Person) => RuleRequests;
  /** Likewise, of the pages for administrators. */
  readonly admin?: (person: Person) => AdminRequests;
}

type SectionGroup = SettingsSection['group'];
const SETTINGS_GROUPS: readonly SectionGroup[] = ['you', 'agents', 'workspace'];

function groupTitle(group: SectionGroup): string {
  switch (group) {
    case 'you':
      return t('You');
    case 'agents':
      return t('Agents');
    case 'workspace':
      return t('Workspace');
  }
}

export function SettingsScreen({ location, person, clock, onGo, onMenu, ...rest }: SettingsProps) {
  const {
    transport,
    targets = serverTargets,
    keys = serverKeys,
    rules = serverRules,
    admin,
  } = rest;
  const isAdmin = hasScope(person, 'admin');
  const own = isAdmin ? 'targets' : 'devices';
  const shown = sectionsFor(person);
  const current = SECTIONS.find(({ id }) => id === location.settings)?.id ?? own;
  const main = useRef<HTMLElement>(null);
  const place = `${current} ${location.target ?? ''}`;
  const before = useRef(place);
  // The link that was pressed may be gone, and a screen reader must not begin at the top of the page.
  useEffect(() => {
    if (before.current !== place) main.current?.focus();
    before.current = place;
    // On a phone the list is one line, of which a part is on the screen.
    const link = main.current?.querySelector('.settings-sections [aria-current]');
    link?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [place]);
  return (
    <main class="settings" tabIndex={-1} ref={main} aria-label={t('Settings')}>
      <div class="settings-content">
        <header class="settings-top">
          <MenuButton onMenu={onMenu} />
          <h1>{t('Settings')}</h1>
        </header>
        <nav class="settings-sections" aria-label={t('Settings')}>
          {SETTINGS_GROUPS.map((group) => (
            <div key={group} role="group" aria-label={groupTitle(group)}>
              <h2>{groupTitle(group)}</h2>
              {shown
                .filter((one) => one.group === group)
                .map(({ id, words }) => (
                  <a
                    key={id}
                    class="way"
                    href={addressOf({ settings: id })}
                    aria-current={id === current ? 'page' : undefined}
                  >
                    {words()}
                  </a>
                ))}
            </div>
          ))}
        </nav>
        {current === 'alerts' && <Alerts />}
        {current === 'appearance' && <Appearance />}
        {current === 'connect' && <ConnectAgent {...{ person, transport, keys }} />}
        {current === 'targets' && (
          <Targets {...{ person, clock, onGo, targets }} shown={location.target} />
        )}
        {current === 'rules' && <Rules {...{ person, clock, rules }} />}
        {current === 'people' && <PeopleSection {...{ person, clock }} />}
        {current === 'devices' && (
          <>
            <Devices {...{ person, clock }} />
            {person.session === null && <SignIns {...{ person, clock }} />}
          </>
        )}
        {(current === 'status' ||
          current === 'keys' ||
          current === 'audit' ||
          current === 'defaults' ||
          current === 'retention' ||
          current === 'workspaces') && (
          <LazyAdminPage
            section={current}
            {...{ person, clock }}
            {...(admin && { requests: admin })}
          />
        )}
      </div>
    </main>
  );
}

type AdminPages = typeof import('./admin/admin-page.tsx');

let pages: AdminPages | undefined;
const FETCH_AGAIN_MS = 5_000;

/** A page for administrators, whose code is fetched when one of them is opened for the first time. */
function LazyAdminPage(props: AdminPageProps) {
  const [, setTries] = useState(0);
  const isHere = pages !== undefined;
  useEffect(() => {
    if (isHere) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = async () => {
      try {
        pages = await import('./admin/admin-page.tsx');
        setTries((count) => count + 1);
      } catch {
        // The server is out of reach; the page says that it loads.
        timer = setTimeout(() => void attempt(), FETCH_AGAIN_MS);
      }
    };
    void attempt();
    return () => clearTimeout(timer);
  }, [isHere]);
  if (pages === undefined) return <p class="muted">{t('Loading…')}</p>;
  return <pages.AdminPage key={props.section} {...props} />;
}
