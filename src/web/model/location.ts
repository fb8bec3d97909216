/**
 * The location within the chat, as the fragment of the address: a fragment never reaches a server or its logs.
 *
 * A link may also carry a token there. The token is removed at once, so that it is in no history and no screenshot.
 */
export interface Location {
  readonly session?: string;
  /** The interaction to show. */
  readonly interaction?: string;
  /** The `seq` of the event to show. */
  readonly event?: string;
  /** The section of the settings. */
  readonly settings?: string;
  /** The target to show. */
  readonly target?: string;
}

export interface Arrival {
  readonly token?: string;
  /** Lets a person in, once. */
  readonly invitation?: string;
  readonly location: Location;
}

export function readFragment(fragment: string): Arrival {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const of = (name: string) => parts.get(name) || undefined;
  const token = of('token');
  const invitation = of('invitation');
  const location: Record<string, string> = {};
  for (const name of PLACES) {
    const value = of(name);
    if (value !== undefined) location[name] = value;
  }
  return {
    ...(token !== undefined && { token }),
    ...(invitation !== undefined && { invitation }),
    location,
  };
}

const PLACES = ['session', 'interaction', 'event', 'settings', 'target'] as const;

export function fragmentOf(location: Location): string {
  const parts = new URLSearchParams();
  for (const name of PLACES) {
    const value = location[name];
    if (value !== undefined) parts.set(name, value);
  }
  const text = parts.toString();
  return text === '' ? '' : `#${text}`;
}

/** The address of a link from the list or the inbox. */
export function addressOf(location: Location): string {
  return `/${fragmentOf(location)}`;
}
