/**
 * Signs people in: reads tokens from the address and from storage, and asks the server whether it accepts them.
 *
 * A token leaves the address bar first of all: there it would be visible, shared and kept in the history. It is
 * stored only after the server accepted it, and removed when the server refuses it.
 */
import { useEffect, useState } from 'preact/hooks';
import type { ServerClock } from '../clock.ts';
import type { Browser } from '../browser.ts';
import { addressOf, type Location, readFragment } from '../model/location.ts';
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
}

export function useSignIn({ browser, clock, isAccepted }: UseSignInOptions) {
  const { store } = browser;
  const [state, setState] = useState<model.SignInState>({});
  const [location, setLocation] = useState<Location>();
  const { person, isProven } = state;

  const refuse = ({ token }: Person) => {
    if (loadPerson(store)?.token === token) forgetPerson(store);
    setState((before) => model.markRefused(before, token));
  };

  useEffect(() => {
    const look = () => {
      const { token, location: wanted } = readFragment(browser.fragment());
      if (token !== undefined) browser.go(browser.path + addressOf(wanted).slice(1), 'replace');
      setLocation(wanted);
      const kept = loadPerson(store);
      setState((before) => {
        if (token === undefined) {
          return before.person || before.problem ? before : model.withPerson(kept);
        }
        const isCurrent = (one: Person | undefined) => one && !isExpired(one, clock.now());
        if (isCurrent(before.person)) return model.arriveWithToken(before, token);
        return model.arriveWithToken(isCurrent(kept) ? model.withPerson(kept) : {}, token);
      });
    };
    look();
    return browser.watch(look);
  }, [browser, store, clock]);

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
    signOut() {
      forgetPerson(store);
      // The device of the person ends too; the part of the page that knows it comes later.
      dispatchEvent(new Event('signed-out'));
      setState({});
    },
  };
}
