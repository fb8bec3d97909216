/** A host that is an MCP client, and the questions of its servers. */
import { expect, it, vi } from 'vitest';
import { connect } from '../../../src/client/agent/connect.ts';
import { answerElicitation } from '../../../src/integrations/mcp/index.ts';
import { keyWith } from '../../support/http/credentials.ts';
import { startLocalApp } from '../../support/http/local-app.ts';
import { answer, waitForOpen } from './questions.ts';

const server = startLocalApp();
const SCHEMA = { type: 'object', properties: { name: { type: 'string' } } };

async function hostIn(session: string, ...scopes: ('agent' | 'read')[]) {
  const { url, fetch } = server;
  const token = await keyWith(...scopes);
  return answerElicitation(connect({ url, token, session, ...(fetch && { fetch }) }));
}

it('[MCP-6] asks a form of a server as a form, and keeps a refusal apart from a failure', async () => {
  const session = 'elicitation';
  const elicit = await hostIn(session, 'agent');
  const request = { message: 'Who are you?', requestedSchema: SCHEMA };
  const accepted = elicit(request, { serverName: 'crm' });
  const open = await waitForOpen(server, session);
  expect(open).toMatchObject({ kind: 'form', toolName: 'mcp__crm' });
  await answer(server, session, open, { values: { name: 'Ada' } });
  expect(await accepted).toEqual({ action: 'accept', content: { name: 'Ada' } });

  const declined = elicit(request);
  await answer(server, session, await waitForOpen(server, session), { decline: true });
  expect(await declined).toEqual({ action: 'decline' });

  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const refused = await hostIn(session, 'read');
  expect(await refused(request)).toEqual({ action: 'cancel' });
});
