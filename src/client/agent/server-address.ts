/** Where requests go, from what a person set; an address that can never answer is refused before it is tried. */
import { type ClientError, neverError } from '../errors.ts';

export function serverAddress(text: string, name: 'url' | 'HOLDPOINT_URL'): string {
  // What follows # may be a token, which belongs into no message.
  const [address = ''] = text.trim().split('#');
  const url = parsed(address);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw wrongAddress(
      `${name} is "${address.slice(0, 200)}": write it like http://127.0.0.1:8787 or https://holdpoint.example.`,
    );
  }
  if (address !== text.trim()) {
    throw wrongAddress(`${name} is a link for a person: leave out # and what follows it.`);
  }
  if (url.search !== '' || /\/v1\/?$/.test(url.pathname)) {
    throw wrongAddress(`${name} is "${address.slice(0, 200)}": leave out what follows the server.`);
  }
  return address;
}

function wrongAddress(message: string): ClientError {
  return neverError('not_holdpoint', message);
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
