import { useEffect, useState } from 'preact/hooks';
import type { ServerClock } from '../clock.ts';
import { markFirstDraw, useFirstDrawn, useLaterParts } from '../hooks/use-later-parts.ts';
import { useLazyPart } from '../hooks/use-lazy-part.ts';
import { useSessions } from '../hooks/use-sessions.ts';
import type { Location } from '../model/location.ts';
import { hasScope, type Person } from '../model/person.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import type { Transport } from '../../client/transport.ts';
import { SessionScreen } from '../session/session-screen.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { t } from '../model/language.ts';

export interface ChatProps {
  readonly person: Person;
  readonly location: Location;
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly store: KeyValueStore;
  readonly agent: string | undefined;
  readonly onGo: (location: Location, how?: 'push' | 'replace') => void;
  readonly onSignOut: () => void;
}

/** The session list, beside one session or the first screen. */
export function Chat({
  person,
  location: place,
  transport,
  clock,
  store,
  agent,
  onGo,
  onSignOut,
}: ChatProps) {
  const [hasMenu, setMenu] = useState(false);
  const [names, setNamed] = useState(0);
  const isInbox = place.page === 'inbox';
  // There the address names a request, and no session.
  const location: Location = isInbox ? {} : place;
  const inbox = useLazyPart(isInbox, () => import('../inbox/inbox.tsx'));
  const isForOne = person.session !== null;
  const isDrawn = useFirstDrawn();
  const sessions = useSessions(transport, clock, isDrawn && !isForOne);
  const current = person.session ?? location.session;
  const section = current === undefined ? location.settings : undefined;
  const isSession = current !== undefined && !isInbox;
  const later = useLaterParts(isSession ? 'later' : 'now');
  const { waiting } = sessions;
  useEffect(() => {
    // The inbox names itself.
    if (!isInbox) document.title = waiting > 0 ? `(${waiting}) Holdpoint` : 'Holdpoint';
  }, [waiting, isInbox]);
  useEffect(() => setMenu(false), [current, section, isInbox]);
  useEffect(() => {
    // A session says itself when it is drawn.
    if (!isSession) markFirstDraw();
  }, [isSession]);

  const openMenu = isForOne ? undefined : () => setMenu(true);
  const sidebar = later && (
    <later.Sidebar
      {...{ sessions, current, clock, store, person, transport, onSignOut }}
      isSettings={section !== undefined}
      onDeleted={(id) => id === current && onGo({})}
    />
  );
  return (
    <div class={isForOne ? 'chat alone' : 'chat'}>
      {!isForOne && (
        <button type="button" class="button plain skip" onClick={skipSidebar}>
          {current === undefined ? t('Skip to the page') : t('Skip to the conversation')}
        </button>
      )}
      {!isForOne && <div class="beside">{sidebar}</div>}
      <div class="stage">
        {isInbox ? (
          inbox && (
            <inbox.Inbox
              {...{ location: place, person, transport, clock, onGo, onMenu: openMenu }}
            />
          )
        ) : section !== undefined ? (
          later && (
            <later.SettingsScreen
              {...{ location, person, transport, clock }}
              onGo={onGo}
              onMenu={() => setMenu(true)}
            />
          )
        ) : current === undefined ? (
          later && (
            <later.FirstScreen
              {...{ agent, transport, store, waiting, onGo }}
              canStart={hasScope(person, 'send')}
              onMenu={() => setMenu(true)}
            />
          )
        ) : (
          <SessionScreen
            key={current}
            sessionId={current}
            interactionId={location.interaction}
            event={location.event}
            {...{ person, transport, clock, store, names }}
            isDemo={agent === 'demo'}
            onMenu={openMenu}
            onKnown={isDrawn || isForOne ? sessions.note : undefined}
            onDeleted={() => {
              sessions.forget(current);
              onGo({});
            }}
          />
        )}
      </div>
      {!isForOne && (
        <BottomBar
          waiting={waiting}
          place={section !== undefined ? 'settings' : current === undefined ? 'new' : 'session'}
          onMenu={() => setMenu(true)}
        />
      )}
      {later && !isForOne && (
        <later.KnownNames person={person} onChange={() => setNamed((count) => count + 1)} />
      )}
      {later && (
        <later.CommandPalette
          {...{ person, transport, store, current, onGo, onSignOut }}
          listed={sessions.list.entries}
          onChanged={sessions.refresh}
          onOpen={() => setMenu(false)}
        />
      )}
      {later && !isForOne && <later.RequestAlerts {...{ waiting, person, clock, store }} />}
      {hasMenu && later && (
        <later.Sheet title={t('Sessions')} side="left" onClose={() => setMenu(false)}>
          {sidebar}
        </later.Sheet>
      )}
    </div>
  );
}

/** Not a link: the fragment of the address already names the session. */
function skipSidebar(): void {
  (document.querySelector<HTMLElement>('.conversation') ?? document.querySelector('main'))?.focus();
}
