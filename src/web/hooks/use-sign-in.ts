/**
 * Signs people in: reads tokens from the address and from storage, and asks the server whether it accepts them. Without a
 * token it asks who the cookie of this browser signs in.
 *
 * A token leaves the address bar first of all: there it would be visible, shared and kept in the history. It is
 * stored only after the server accepted it, and removed when the server refuses it.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { COOKIE } from '../../protocol/credential-headers.ts';
import type { ServerClock } from '../clock.ts';
import type { Browser } from '../browser.ts';
import { type BrowserSession, LINKS_ALONE } from '../model/browser-session.ts';
import { addressOf, type Location, locationAt, readFragment } from '../model/location.ts';
import {
  forgetPerson,
  isExpired,
  savePerson,
  loadPerson,
  type Person,
  personOf,
} from '../model/person.ts';
import * as model from '../model/sign-in.ts';

interface UseSignInOptions {
  readonly browser: Browser;
  readonly clock: ServerClock;
  /** Whether the server accepts the token; rejects if the server is unreachable. */
  readonly isAccepted: (person: Person) => Promise<boolean>;
  /** Who the cookie signs in, and how a person signs in. */
  readonly askSession: () => Promise<BrowserSession>;
}

/** A second refusal of the cookie so soon is no change of the role. */
const REFUSED_AGAIN_MS = 10_000;

export function useSignIn({ browser, clock, isAccepted, askSession }: UseSignInOptions) {
  const { store } = browser;
  const [state, setState] = useState<model.SignInState>({});
  const [location, setLocation] = useState<Location>();
  const [session, setSession] = useState<BrowserSession>();
  const [isArriving, setArriving] = useState(false);
  const refusedAt = useRef(0);
  const { person, isProven } = state;

  const refuse = ({ token }: Person) => {
    if (token === COOKIE) {
      const isAgain = clock.now() - refusedAt.current < REFUSED_AGAIN_MS;
      refusedAt.current = clock.now();
      // With another role the cookie goes on; it is asked for once more.
      setSession(undefined);
      setState(isAgain ? { problem: 'signed-out' } : { isAskedAgain: true });
      return;
    }
    if (loadPerson(store)?.token === token) forgetPerson(store);
    setState((before) => model.markRefused(before, token));
  };

  // Before the browser draws the empty page, which would take a slow phone as long as the answer.
  useLayoutEffect(() => {
    const look = () => {
      const { token, invitation, location: named } = readFragment(browser.fragment());
      const wanted = locationAt(browser.path, named);
      const isSecret = token !== undefined || invitation !== undefined;
      if (isSecret) browser.go(addressOf(wanted), 'replace');
      setLocation(wanted);
      const kept = loadPerson(store);
      if (invitation !== undefined) setState({ ...model.withPerson(kept), invitation });
      else if (token === undefined) {
        setState((before) => (before.person || before.problem ? before : model.withPerson(kept)));
      } else void arrive(token, kept);
    };
    const isCurrent = (one: Person | undefined) =>
      one !== undefined && !isExpired(one, clock.now());
    const arrive = async (token: string, kept: Person | undefined) => {
      let own = kept;
      if (!isCurrent(kept)) {
        // The cookie may sign in a person whom the token must not replace unasked.
        setArriving(true);
        const found = await askSession().catch(() => LINKS_ALONE);
        setArriving(false);
        setSession(found);
        own = found.person;
      }
      setState((before) => {
        if (before.person !== undefined && isCurrent(before.person)) {
          return model.arriveWithToken(before, token);
        }
        return model.arriveWithToken(own === undefined ? {} : model.withPerson(own), token);
      });
    };
    look();
    return browser.watch(look);
  }, [browser, store, clock, askSession]);

  const hasPerson = person !== undefined && !isExpired(person, clock.now());
  const isAsking = !hasPerson && !isArriving && location !== undefined && session === undefined;
  useLayoutEffect(() => {
    if (!isAsking) return;
    askSession().then(
      (found) => {
        setSession(found);
        setState((before) => model.withSession(before, found.person));
      },
      // Without an answer the screen offers what works everywhere: a link.
      () => setSession(LINKS_ALONE),
    );
  }, [isAsking, askSession]);

  useEffect(() => {
    if (person === undefined || isProven === true) return;
    const accept = () => {
      savePerson(store, person.token);
      setState((before) => model.markAccepted(before, person.token));
    };
    // An unreachable server counts as accepting; it refuses the token later if it must.
    isAccepted(person).then((isGood) => (isGood ? accept() : refuse(person)), accept);
  }, [person, isProven, isAccepted]);

  return {
    ...state,
    location,
    /** Undefined while the server has not said how people sign in here. */
    session,
    goTo: setLocation,
    refuse,
    acceptOffer: () => setState(model.acceptOffer),
    declineOffer: () => setState(model.withPerson(person)),
    resume: () => setState(model.withPerson(state.before)),
    /** Returns false for a text that is neither a link nor a token. */
    signIn(pasted: string): boolean {
      const { token = pasted } = readFragment(pasted.slice(pasted.indexOf('#') + 1));
      const next = personOf(token.trim());
      if (next !== undefined) setState({ person: next });
      return next !== undefined;
    },
    /** A kept credential would win over the cookie of the login. */
    forgetToken: () => forgetPerson(store),
    putInvitationAside: () => setState(({ invitation: _invitation, ...rest }) => rest),
    enterWithToken: (token: string) => setState(model.arriveWithToken({}, token)),
    signOut() {
      forgetPerson(store);
      setSession(undefined);
      // The device of the person ends too; the part of the page that knows it comes later.
      dispatchEvent(new Event('signed-out'));
      setState({});
    },
  };
}
