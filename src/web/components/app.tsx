import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Clock } from '../clock.ts';
import { useLater } from '../hooks/use-later.ts';
import { addressOf, type Place, readFragment } from '../model/address.ts';
import { forgetPerson, isExpired, keepPerson, keptPerson, type Person } from '../model/person.ts';
import type { Keep } from '../model/ports.ts';
import type { Transport } from '../../client/transport.ts';
import { Chat } from './chat.tsx';
import { SignIn } from './sign-in.tsx';

/** The browser, as far as the chat needs it; a test plays it. */
export interface Browser {
  readonly keep: Keep;
  readonly path: string;
  fragment(): string;
  /** Another entry of the history, or in place of this one. */
  go(address: string, how: 'push' | 'replace'): void;
  /** Calls back when somebody went elsewhere; the result stops it. */
  watch(moved: () => void): () => void;
}

export interface AppProps {
  readonly browser: Browser;
  readonly clock: Clock;
  /** `signedOut` is called when the server takes the token no more. */
  readonly transportFor: (person: Person, signedOut: () => void) => Transport;
  /** What `GET /health` says of the agent. */
  readonly agent: () => Promise<string>;
}

export function App({ browser, clock, transportFor, agent: askAgent }: AppProps) {
  const { keep } = browser;
  const [person, setPerson] = useState<Person>();
  const [isOver, setOver] = useState(false);
  const [place, setPlace] = useState<Place>();
  const [agent, setAgent] = useState<string>();
  const isInbox = browser.path === '/inbox';
  const inbox = useLater(isInbox, () => import('../inbox/inbox.tsx'));

  useEffect(() => {
    const look = () => {
      const { token, place: wanted } = readFragment(browser.fragment());
      const arrived = token === undefined ? undefined : keepPerson(keep, token);
      // Out of the address bar before anything else happens: it is shown, shared and kept there.
      if (token !== undefined) browser.go(browser.path + addressOf(wanted).slice(1), 'replace');
      if (arrived !== undefined) setOver(false);
      setPerson((before) => arrived ?? before ?? keptPerson(keep));
      setPlace(wanted);
    };
    look();
    return browser.watch(look);
  }, [browser, keep]);
  useEffect(() => {
    askAgent().then(setAgent, () => setAgent('none'));
  }, [askAgent]);

  const isGone = isOver || (person !== undefined && isExpired(person, clock.now()));
  const transport = useMemo(
    () => (person === undefined || isGone ? undefined : transportFor(person, () => setOver(true))),
    [person, isGone, transportFor],
  );
  useEffect(() => () => transport?.close(), [transport]);

  if (place === undefined) return null;
  if (person === undefined || transport === undefined) {
    const signIn = (pasted: string) => {
      const { token = pasted } = readFragment(pasted.slice(pasted.indexOf('#') + 1));
      const next = keepPerson(keep, token);
      if (next === undefined) return false;
      setOver(false);
      setPerson(next);
      return true;
    };
    return <SignIn isOver={isGone} onToken={signIn} />;
  }
  if (isInbox) {
    return inbox && <inbox.Inbox transport={transport} clock={clock} person={person} />;
  }
  const go = (next: Place) => {
    browser.go(addressOf(next), 'push');
    setPlace(next);
  };
  const signOut = () => {
    forgetPerson(keep);
    setPerson(undefined);
    setOver(false);
  };
  return (
    <Chat
      person={person}
      place={place}
      transport={transport}
      clock={clock}
      keep={keep}
      agent={agent}
      onGo={go}
      onSignOut={signOut}
    />
  );
}
