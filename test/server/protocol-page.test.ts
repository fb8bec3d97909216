/** The requests that docs/protocol.md prints for asking and answering, sent as they are printed. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { ask, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';

const server = await startRoutes();
const page = readFileSync(path.join(ROOT, 'docs/protocol.md'), 'utf8');

/** The body of the curl that begins with this text, or of the first one after it. */
function bodyAfter(text: string): JsonObject {
  const start = page.indexOf(text);
  expect(start, text).toBeGreaterThan(0);
  const [, body = ''] = /-d '([^']+)'/.exec(page.slice(start)) ?? [];
  return JSON.parse(body) as JsonObject;
}

it('[INT-1, INT-7] the request of the page is answered by the answer of the page, once', async () => {
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: 'demo' } });
  const interactions = '/v1/sessions/demo/interactions';
  const json = bodyAfter(`-d '{"kind":"approval","toolCallId":"call_1"`);
  const token = await keyWith('agent');
  await ask(server, { method: 'POST', path: interactions, json, token });
  const answer = {
    method: 'POST',
    path: `${interactions}/call_1~1/answer`,
    json: bodyAfter('### Answering'),
  };
  expect((await send(server, answer)).status).toBe(200);
  expect((await send(server, { ...answer, json: { decision: 'deny' } })).status).toBe(409);
});
