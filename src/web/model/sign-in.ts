/**
 * The signed-in person, and the handling of a token that arrives.
 *
 * 1. A token never replaces the signed-in person unless that person agrees: otherwise a link in a message would make
 *    them act under the name of its author.
 * 2. A token that does not work signs no one out: the previous person can continue.
 */
import { type Person, personOf } from './person.ts';

export interface SignInState {
  readonly person?: Person | undefined;
  /** The server accepted this person's token before. */
  readonly isProven?: boolean;
  /** The previous person, while a new token is tried or has failed. */
  readonly before?: Person | undefined;
  /** The person of a link that arrived while another person is signed in. */
  readonly offered?: Person | undefined;
  /** Why the sign-in screen is shown. */
  readonly problem?: 'expired' | 'dead-link' | 'signed-out';
  /** The server refused the cookie, and is asked once more who it signs in. */
  readonly isAskedAgain?: true;
  /** The link that lets a person in, until they have used it or put it aside. */
  readonly invitation?: string;
}

export function withPerson(person: Person | undefined): SignInState {
  return { person, isProven: true };
}

/** Who the cookie of this browser signs in; a person with a token stays. */
export function withSession(state: SignInState, person: Person | undefined): SignInState {
  const { isAskedAgain, ...rest } = state;
  if (state.person !== undefined || state.problem !== undefined) return state;
  if (person !== undefined) return { ...rest, ...withPerson(person) };
  return isAskedAgain === true ? { ...rest, problem: 'signed-out' } : state;
}

/** `current` has the person who is signed in and whose token has not expired, or no person. */
export function arriveWithToken(current: SignInState, token: string): SignInState {
  const arrived = personOf(token.trim());
  const { person, isProven = false } = current;
  if (arrived === undefined) return { before: person, problem: 'dead-link' };
  if (person === undefined) return { person: arrived };
  if (person.token === arrived.token) return { person, isProven };
  return { person, isProven, offered: arrived };
}

export function acceptOffer({ person, offered }: SignInState): SignInState {
  return { person: offered, before: person };
}

export function markAccepted(state: SignInState, token: string): SignInState {
  return state.person?.token === token ? { ...state, isProven: true } : state;
}

export function markRefused(state: SignInState, token: string): SignInState {
  if (state.person?.token !== token) return state;
  if (state.isProven === true) return { problem: 'expired' };
  return { before: state.before, problem: 'dead-link' };
}
