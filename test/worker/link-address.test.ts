/** Addresses that the service prints. A bug here looks like a link that sends its token over a plain connection. */
import { SELF } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { headersOf } from './support/api.ts';
import { createSession, open } from './support/session.ts';

it('[LINK-1] the address of a link is https behind a proxy that ends TLS, and plain on this machine', async () => {
  const session = await createSession();
  const { interactionId } = await open(session);
  for (const [asked, shown] of [
    ['http://holdpoint.example', 'https://holdpoint.example'],
    ['https://holdpoint.example', 'https://holdpoint.example'],
    ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
  ] as const) {
    const body = { subject: 'ana' };
    const address = `${asked}${session.path}/interactions/${interactionId}/links`;
    const response = await SELF.fetch(address, {
      method: 'POST',
      headers: headersOf({ body }),
      body: JSON.stringify(body),
    });
    const { url } = await response.json<{ url: string }>();
    expect(url.startsWith(`${shown}/links/hpl_`), url).toBe(true);
  }
});
