import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import type { Browser } from '../browser.ts';
import type { ServerClock } from '../clock.ts';
import { useLaterParts } from '../hooks/use-later-parts.ts';
import { useSignIn } from '../hooks/use-sign-in.ts';
import { addressOf, type Location } from '../model/location.ts';
import { isExpired, type Person } from '../model/person.ts';
import { Chat } from './chat.tsx';

export interface AppProps {
  readonly browser: Browser;
  readonly clock: ServerClock;
  /** `onRefused` is called when the server refuses the token. */
  readonly transportFor: (person: Person, onRefused: () => void) => Transport;
  /** Whether the server accepts the token; rejects if the server is unreachable. */
  readonly isAccepted: (person: Person) => Promise<boolean>;
  /** The `agent` field of `GET /health`. */
  readonly agent: () => Promise<string>;
}

export function App({ browser, clock, transportFor, isAccepted, agent: askAgent }: AppProps) {
  const { store } = browser;
  const signIn = useSignIn({ browser, clock, isAccepted });
  const { person, location, offered, problem, refuse } = signIn;
  const [agent, setAgent] = useState<string>();
  const isGone = person !== undefined && isExpired(person, clock.now());
  const isSignedIn = person !== undefined && !isGone;
  const isInbox = browser.path === '/inbox';
  const later = useLaterParts(!isSignedIn || offered !== undefined);
  const inbox = useLazyPart(isInbox, () => import('../inbox/inbox.tsx'));

  useEffect(() => {
    askAgent().then(setAgent, () => setAgent('none'));
  }, [askAgent]);

  const transport = useMemo(
    () => (!isSignedIn ? undefined : transportFor(person, () => refuse(person))),
    [person, isGone, transportFor],
  );
  useEffect(() => () => transport?.close(), [transport]);

  if (location === undefined) return null;
  if (person === undefined || transport === undefined) {
    return (
      later && (
        <later.SignInScreen
          problem={isGone ? 'expired' : problem}
          before={signIn.before?.subject}
          onResume={signIn.resume}
          onToken={signIn.signIn}
        />
      )
    );
  }
  if (offered !== undefined) {
    return (
      later && (
        <later.SwitchPerson
          current={person.subject}
          offered={offered.subject}
          onAccept={signIn.acceptOffer}
          onDecline={signIn.declineOffer}
        />
      )
    );
  }
  if (isInbox) {
    return inbox && <inbox.Inbox {...{ transport, clock, person }} />;
  }
  const go = (next: Location) => {
    browser.go(addressOf(next), 'push');
    signIn.goTo(next);
  };
  return (
    <Chat
      {...{ person, location, transport, clock, store, agent }}
      onGo={go}
      onSignOut={signIn.signOut}
    />
  );
}

/** A part of the page that is fetched when it is first needed; undefined until then. */
function useLazyPart<Part>(isWanted: boolean, load: () => Promise<Part>): Part | undefined {
  const [part, setPart] = useState<{ readonly loaded: Part }>();
  useEffect(() => {
    if (!isWanted || part !== undefined) return;
    load().then(
      (loaded) => setPart({ loaded }),
      // An upgraded server serves this part under another name.
      () => location.reload(),
    );
  }, [isWanted, part]);
  return part?.loaded;
}
