/** The calls of a client to the built-in agent of a session, here before its first turn. */
import { describe, expect, it } from 'vitest';
import type { World } from '../transport.contract.ts';
import { approval, begin, expectRefused, opened, UNKNOWN } from './questions.ts';

export function builtInAgentContract(world: World): void {
  describe('the built-in agent', () => {
    it('[TRN-2, RUN-8] has files that can be listed and read', async () => {
      const { transport } = world();
      const id = await begin(transport);
      expect(await transport.files(id)).toEqual([]);
      await expectRefused(transport.file(id, 'a.md'), 'not_found');
    });

    it('[TRN-2, RUN-10] retries only a failed turn', async () => {
      const { transport } = world();
      const id = await begin(transport);
      await expectRefused(transport.retry(id), 'nothing_to_retry');
    });

    it('[TRN-2, COMPACT-6] takes back a summary that the agent reads, and no other', async () => {
      const { transport } = world();
      const id = await begin(transport);
      await expectRefused(transport.restoreConversation(id, 1), 'not_restorable');
      await expectRefused(transport.restoreConversation(id, 0), 'invalid_request');
      await expectRefused(transport.restoreConversation(UNKNOWN, 1), 'not_found');
    });

    it('[TRN-2, RUN-8] takes the result of a client tool that it waits for, and no other', async () => {
      const { agent } = world();
      const id = await begin(agent);
      const result = { output: 'A picture' };
      await expectRefused(agent.postToolResult(id, 'toolu_1', result), 'not_found');
      await expectRefused(agent.postToolResult(UNKNOWN, 'toolu_1', result), 'not_found');
      await expectRefused(agent.postToolResult(id, 'not an id', result), 'not_found');
      const wrong = { output: 5 } as unknown as typeof result;
      await expectRefused(agent.postToolResult(id, 'toolu_1', wrong), 'invalid_request');
    });

    it('[TRN-2, UI-13] takes back a message that the model has not received', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      await opened(agent, id, approval());
      const routed = await transport.sendMessage(id, 'And then rest').routed;
      const messageId = routed.routed === 'queued' ? routed.messageId : '';
      await transport.removeQueued(id, messageId);
      expect((await transport.snapshot(id)).session.queued).toEqual([]);
      await expectRefused(transport.removeQueued(id, messageId), 'not_found');
    });
  });
}
