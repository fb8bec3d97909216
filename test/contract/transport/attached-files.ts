/** A person attaches files, to messages and to answers. */
import { describe, expect, it } from 'vitest';
import type { World } from '../transport.contract.ts';
import { approval, begin, expectRefused, opened } from './questions.ts';

export function attachedFilesContract(world: World): void {
  describe('attached files', () => {
    it('[ATT-1, ATT-3] are read as they were sent, and sent twice they are one', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const bytes = Uint8Array.from({ length: 500_000 }, (_, at) => at % 256);
      const sent = { name: 'bytes – ü.bin', mediaType: 'application/x-test', bytes };
      const file = await transport.attach(id, sent);
      expect(file).toMatchObject({ name: sent.name, mediaType: sent.mediaType, bytes: 500_000 });
      const again = await transport.attach(id, { ...sent, bytes: new Blob([bytes]) });
      expect(again).toEqual(file);
      const read = await agent.attachedFile(id, file.attachmentId);
      expect(Buffer.from(read).equals(Buffer.from(bytes))).toBe(true);
    });

    it('[ATT-4, ATT-5] go with messages, with texts that answer and with answers', async () => {
      const { transport, agent } = world();
      const id = await begin(transport);
      const bytes = new TextEncoder().encode('Hello');
      const file = await transport.attach(id, { name: 'a.txt', bytes });
      const attachments = [file.attachmentId];
      const { routed } = transport.sendMessage(id, 'Look', { attachments });
      expect(await routed).toMatchObject({ routed: 'turn' });
      await opened(agent, id, approval());
      await transport.answerText(id, 'call-1~1', 'no', { attachments });
      expect(await agent.interaction(id, 'call-1~1')).toMatchObject({ attachments: [file] });
    });

    it('[ATT-1, ATT-4] that are not there, or may not be, are refused', async () => {
      const { transport } = world();
      const id = await begin(transport);
      const unknown = `att_${'0'.repeat(32)}`;
      const nothing = { name: 'a.txt', bytes: new Uint8Array() };
      await expectRefused(transport.attach(id, nothing), 'invalid_request');
      await expectRefused(transport.attachedFile(id, unknown), 'not_found');
      const { routed } = transport.sendMessage(id, 'Look', { attachments: [unknown] });
      await expectRefused(routed, 'unknown_attachment');
    });
  });
}
