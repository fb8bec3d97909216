/**
 * The location within the chat, as the fragment of the address: a fragment never reaches a server or its logs.
 *
 * A link may also carry a token there. The token is removed at once, so that it is in no history and no screenshot.
 */
export interface Location {
  readonly session?: string;
  /** The interaction to show. */
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

/** The address of a link from the list or the inbox. */
export function addressOf(location: Location): string {
  return `/${fragmentOf(location)}`;
}
