/** Starts the hosted chat in the page that the Worker serves. */
import { render } from 'preact';
import { credentialHeaders } from '../protocol/credential-headers.ts';
import { HttpTransport } from '../client/http-transport.ts';
import type { Transport } from '../client/transport.ts';
import { App } from './app/app.tsx';
import { browser } from './browser.ts';
import { startServerClock } from './clock.ts';
import { fetchLaterParts, whenFirstDrawn } from './hooks/use-later-parts.ts';
import { loadMarkdown } from './markdown/markdown.tsx';
import type { Person } from './model/person.ts';
import { fetchBrowserSession } from './sign-in-requests.ts';
import { startLanguage } from './start-language.ts';
import { startTheme } from './start-theme.ts';

import './styles/index.css';

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no element for the chat');

startTheme(browser.store);
// Drawn in its language from the start.
void startLanguage(browser.store).then(() =>
  render(
    <App
      browser={browser}
      clock={startServerClock()}
      transportFor={transportFor}
      isAccepted={isAccepted}
      askSession={fetchBrowserSession}
      agent={readAgentName}
    />,
    root,
  ),
);
// A text or a plan that comes later is not drawn plain first.
whenFirstDrawn(loadMarkdown).catch(() => undefined);
void whenFirstDrawn(fetchLaterParts).then(
  ({ startDevice, startHelp }) => {
    startDevice();
    startHelp();
  },
  // A part of the screen fetches them again.
  () => undefined,
);

function transportFor({ token }: Person, onRefused: () => void): Transport {
  return serverTransport({ url: location.origin, token, onRefused });
}

/** A token for one session may not list sessions, but is accepted: only 401 means refused. */
async function isAccepted({ token }: Person): Promise<boolean> {
  const response = await fetchAs(token, '/v1/sessions?limit=1');
  // An unread body keeps its connection open, and the page never becomes idle.
  await response.arrayBuffer();
  return response.status !== 401;
}

async function readAgentName({ token }: Person): Promise<string> {
  const response = await fetchAs(token, '/health');
  const { agent = 'none' } = (await response.json()) as { agent?: string };
  return agent;
}

function fetchAs(token: string, path: string): Promise<Response> {
  return fetch(path, { headers: credentialHeaders(token) });
}

interface ServerOptions {
  readonly url: string;
  readonly token: string;
  /** The server no longer accepts the token. */
  readonly onRefused: () => void;
}

/** A transport to the server that served this page. */
function serverTransport({ url, token, onRefused }: ServerOptions): Transport {
  return new HttpTransport({ url, token: tokenOnce(token, onRefused) });
}

/** A second request for the token means that the server refused it, and there is no other token (TRN-7). */
function tokenOnce(token: string, onRefused: () => void): () => string {
  let isAsked = false;
  return () => {
    if (isAsked) onRefused();
    isAsked = true;
    return token;
  };
}
