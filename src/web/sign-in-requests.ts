/** The requests of signing in and out with a login, to the server that served this page. */
import { readPart } from '../client/requests/http-calls.ts';
import { COOKIE } from '../protocol/credential-headers.ts';
import { type BrowserSession, readBrowserSession } from './model/browser-session.ts';
import { serverCalls } from './server-calls.ts';

export async function fetchBrowserSession(): Promise<BrowserSession> {
  return readBrowserSession((await browserCalls().get('/auth/session')).body);
}

/** Resolves with the address where the login goes on. */
export async function beginLogin(to: string, invitation?: string): Promise<string> {
  const asked = { to, ...(invitation !== undefined && { invitation }) };
  return readPart(await browserCalls().post('/auth/login', asked), 'location');
}

/** Resolves with the token of the invited person. */
export async function acceptInvitation(invitation: string): Promise<string> {
  return readPart(await browserCalls().post('/v1/invitations/accept', { invitation }), 'token');
}

/** Resolves with the address where the browser goes next: the provider may sign it out too. */
export async function endBrowserSession(): Promise<string> {
  return readPart(await browserCalls().post('/auth/logout'), 'location');
}

/** With the cookie of this browser, or without one. */
const browserCalls = () => serverCalls({ token: COOKIE });
