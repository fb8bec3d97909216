/** The network of the runtime, which judges addresses after a name was looked up. A bug opens the network of the server. */
import { expect, it, onTestFinished } from 'vitest';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';

// The rules about texts of addresses are off, so that only the network of the runtime can refuse.
const server = await startServer({ HOLDPOINT_PRIVATE_TOOLS: '1' }, { allowPrivateNetwork: false });

async function call(path: string, body: object) {
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(server.url + path, init);
  return (await response.json()) as { target: { id: string }; delivery: { status: string } };
}

it('[OUT-3] the runtime connects to no private address, whichever name leads to it', async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  // `localhost` is looked up by the system, as a name in a resolver of an attacker would be.
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
    const url = `http://${host}:${receiver.port}/hook`;
    const { target } = await call('/v1/targets', { type: 'webhook', url });
    const { delivery } = await call(`/v1/targets/${target.id}/test`, {});
    expect(delivery.status, host).toBe('dead');
  }
  expect(receiver.connections()).toBe(0);
  expect(receiver.received).toEqual([]);
});
