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
  /** The path of the address: the inbox, or the sessions. */
  readonly page?: 'inbox';
  /** Of the inbox: the tab, and what is shown of it (`model/inbox-address.ts`). */
  readonly tab?: string;
  readonly find?: string;
  readonly in?: string;
  readonly by?: string;
  readonly tool?: string;
  readonly kind?: string;
  readonly risk?: string;
  readonly label?: string;
  /** `me`, and of the history `everyone`. */
  readonly for?: string;
}

export interface Arrival {
  readonly token?: string;
  /** Lets a person in, once. */
  readonly invitation?: string;
  readonly location: Location;
}

const PLACES =
  'session interaction event settings target tab find in by tool kind risk label for'.split(
    ' ',
  ) as (keyof Location)[];

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

const INBOX_PATH = '/inbox';

/** The inbox has a path of its own, which is also the address of a bookmark. */
export function locationAt(path: string, location: Location): Location {
  return path === INBOX_PATH ? { ...location, page: 'inbox' } : location;
}

export function fragmentOf(location: Location): string {
  const parts = new URLSearchParams();
  for (const name of PLACES) {
    const value = location[name];
    if (value !== undefined) parts.set(name, value);
  }
  const text = parts.toString();
  return text === '' ? '' : `#${text}`;
}

/** The address of a link within the chat. */
export function addressOf(location: Location): string {
  return (location.page === undefined ? '/' : INBOX_PATH) + fragmentOf(location);
}
