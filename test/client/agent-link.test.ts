/** A link of an agent, over the session core in this process. A bug here looks like a sign-in that an agent waits for in vain. */
import { describe, expect, it } from 'vitest';
import { failing, altered, HURRY, pair, SESSION } from '../support/agent.ts';
import { connect } from '../../src/client/agent/connect.ts';

const LINK = { url: 'https://example.com/sign-in', message: 'Sign in', awaitCompletion: true };

describe('a link whose end the agent reports', () => {
  it('[LNK-2] is answered once it was opened and completed, through a lost network', async () => {
    const { agentTransport, person, onlyOpen } = pair();
    const complete = failing(2, agentTransport.complete.bind(agentTransport));
    const transport = altered(agentTransport, { complete });
    const agent = connect({ transport, session: SESSION, timing: HURRY });
    const asked = agent.link(LINK);
    const { interactionId } = await onlyOpen();
    await person.answer(SESSION, interactionId, { opened: true });
    expect(await onlyOpen()).toMatchObject({ interactionId, linkOpened: expect.anything() });
    expect(await agent.complete(interactionId)).toMatchObject({ outcome: 'answered' });
    expect(await asked).toMatchObject({ outcome: 'answered' });
    expect(await agent.complete(interactionId)).toMatchObject({ outcome: 'answered' });
  });

  it('[LNK-2] stays open when it was completed first, and rejects for what is no link', async () => {
    const { agent, person, onlyOpen } = pair();
    const asked = agent.link(LINK);
    const { interactionId } = await onlyOpen();
    expect(await agent.complete(interactionId)).toMatchObject({ status: 'open' });
    await person.answer(SESSION, interactionId, { opened: true });
    expect(await asked).toMatchObject({ outcome: 'answered' });
    const call = agent.approve({ toolName: 'Bash', input: {} });
    const approval = await onlyOpen();
    await expect(agent.complete(approval.interactionId)).rejects.toMatchObject({
      code: 'wrong_kind',
    });
    await person.answer(SESSION, approval.interactionId, { decision: 'deny' });
    expect(await call).toMatchObject({ outcome: 'denied' });
  });
});
