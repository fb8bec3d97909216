/**
 * Where in the chat somebody is, as the fragment of the address: it never reaches a server or its logs.
 *
 * A link may carry a token there too; it is taken out at once, so that it is in no history and no screenshot.
 */
export interface Location {
  readonly session?: string;
  /** What to look at in it. */
  readonly interaction?: string;
}

export interface Arrival {
  readonly token?: string;
  readonly location: Location;
}

export function readFragment(fragment: string): Arrival {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const of = (name: string) => parts.get(name) || undefined;
  const [token, session, interaction] = [of('token'), of('session'), of('interaction')];
  return {
    ...(token !== undefined && { token }),
    location: {
      ...(session !== undefined && { session }),
      ...(interaction !== undefined && { interaction }),
    },
  };
}

export function fragmentOf({ session, interaction }: Location): string {
  const parts = new URLSearchParams();
  if (session !== undefined) parts.set('session', session);
  if (interaction !== undefined) parts.set('interaction', interaction);
  const text = parts.toString();
  return text === '' ? '' : `#${text}`;
}

/** For links: to a session from the list or the inbox. */
export function addressOf(location: Location): string {
  return `/${fragmentOf(location)}`;
}
