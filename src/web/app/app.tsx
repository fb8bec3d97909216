import { useEffect, useMemo, useState } from 'preact/hooks';
import { COOKIE } from '../../protocol/credential-headers.ts';
import type { Transport } from '../../client/transport.ts';
import type { Browser } from '../browser.ts';
import type { ServerClock } from '../clock.ts';
import { useLaterParts } from '../hooks/use-later-parts.ts';
import { useSignIn } from '../hooks/use-sign-in.ts';
import { type BrowserSession, LINKS_ALONE } from '../model/browser-session.ts';
import { failureText } from '../model/failure.ts';
import { addressOf, type Location } from '../model/location.ts';
import { isExpired, type Person } from '../model/person.ts';
import { endBrowserSession } from '../sign-in-requests.ts';
import { Chat } from './chat.tsx';

export interface AppProps {
  readonly browser: Browser;
  readonly clock: ServerClock;
  /** `onRefused` is called when the server refuses the token. */
  readonly transportFor: (person: Person, onRefused: () => void) => Transport;
  /** Whether the server accepts the token; rejects if the server is unreachable. */
  readonly isAccepted: (person: Person) => Promise<boolean>;
  /** Who the cookie of the browser signs in; left out, people come with a link alone. */
  readonly askSession?: () => Promise<BrowserSession>;
  /** The `agent` field of `GET /health`. */
  readonly agent: (person: Person) => Promise<string>;
}

export function App({ browser, clock, transportFor, isAccepted, ...rest }: AppProps) {
  const { store } = browser;
  const { agent: askAgent, askSession = askNobody } = rest;
  const signIn = useSignIn({ browser, clock, isAccepted, askSession });
  const { person, location, offered, problem, refuse, session, invitation } = signIn;
  const [agent, setAgent] = useState<string>();
  const [leaveProblem, setLeaveProblem] = useState<string>();
  const isLeaving = leaveProblem !== undefined;
  const isGone = person !== undefined && isExpired(person, clock.now());
  const isSignedIn = person !== undefined && !isGone;
  // Until the server has said who signs in, there may be a session to show.
  const isNoChat = isSignedIn ? offered !== undefined || isLeaving : session !== undefined;
  const later = useLaterParts(isNoChat || invitation !== undefined ? 'now' : 'never');

  useEffect(() => {
    if (isSignedIn) askAgent(person).then(setAgent, () => setAgent('none'));
  }, [person, isGone, askAgent]);

  const leave = () => {
    setLeaveProblem(undefined);
    // The page of the provider may sign the browser out too; a new page begins in any case.
    endBrowserSession().then(
      (address) => {
        dispatchEvent(new Event('signed-out'));
        globalThis.location.assign(address);
      },
      (cause: unknown) => setLeaveProblem(failureText(cause)),
    );
  };

  const transport = useMemo(
    () => (!isSignedIn ? undefined : transportFor(person, () => refuse(person))),
    [person, isGone, transportFor],
  );
  useEffect(() => () => transport?.close(), [transport]);

  if (location === undefined) return null;
  const returnTo = addressOf(location);
  if (invitation !== undefined) {
    if (session === undefined && person === undefined) return null;
    return (
      later && (
        <later.InvitationScreen
          {...{ invitation, returnTo, askSession }}
          current={person?.subject}
          onToken={signIn.enterWithToken}
          onLeave={signIn.forgetToken}
          onDecline={signIn.putInvitationAside}
        />
      )
    );
  }
  if (person === undefined || transport === undefined) {
    if (session === undefined && person === undefined) return null;
    return (
      later && (
        <later.SignInScreen
          problem={isGone ? 'expired' : problem}
          before={signIn.before?.subject}
          loginBy={
            session?.login && { login: session.login, returnTo, onLeave: signIn.forgetToken }
          }
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
  if (leaveProblem !== undefined) {
    return (
      later && (
        <later.SignOutFailed
          problem={leaveProblem}
          onRetry={leave}
          onBack={() => setLeaveProblem(undefined)}
        />
      )
    );
  }
  const go = (next: Location, how: 'push' | 'replace' = 'push') => {
    browser.go(addressOf(next), how);
    signIn.goTo(next);
  };
  return (
    <Chat
      {...{ person, location, transport, clock, store, agent }}
      onGo={go}
      onSignOut={person.token === COOKIE ? leave : signIn.signOut}
    />
  );
}

async function askNobody(): Promise<BrowserSession> {
  return LINKS_ALONE;
}
