/** An interrupt of a request that several people must approve. A bug here hides how many are missing. */
import { expect, it } from 'vitest';
import { interruptOf } from '../../../src/http/agui/log-state.ts';
import { requestParts } from '../../../src/integrations/a2a/message-parts.ts';
import type { Interaction } from '../../../src/protocol/types.ts';
import { askApproval } from '../../support/asks.ts';
import { worldAfter } from '../../support/core-world.ts';

function record(approvals: number | undefined, votes: readonly string[] = []): Interaction {
  const quorum = approvals === undefined ? {} : { quorum: { approvals } };
  const asked = worldAfter(askApproval(quorum)).record('call-1~1');
  const given = votes.map((subject) => ({ by: { subject, via: 'web' } }));
  return { ...asked, ...(given.length > 0 && { votes: given }) } as unknown as Interaction;
}

it('[AGUI-2, VOTE-8] says how many have approved, in full and where it is named again', () => {
  const one = record(2, ['ann']);
  for (const isInFull of [true, false]) {
    expect(interruptOf(one, isInFull).message).toMatch(/\n1 of 2 approvals: ann$/);
  }
  expect(interruptOf(one, true).metadata).toMatchObject({
    holdpoint: { approvals: { needed: 2, given: ['ann'] } },
  });
  expect(interruptOf(record(2), true).message).toMatch(/\n0 of 2 approvals$/);
  expect(JSON.stringify(interruptOf(record(undefined), true))).not.toContain('approvals');
});

it('[A2A-1, VOTE-8] is in the message of a task of A2A, as text and as data', () => {
  const [text, data] = requestParts('s', record(2, ['ann']), undefined);
  expect(text?.content?.value).toContain('1 of 2 approvals: ann.');
  expect(data?.content?.value).toMatchObject({
    holdpoint: { approvals: { needed: 2, given: ['ann'] } },
  });
  const plain = requestParts('s', record(undefined), undefined);
  expect(JSON.stringify(plain)).not.toContain('approvals');
});
