/** The answers that a webhook names. A bug would look like a receiver that is told to send what is always refused. */
import { expect, it } from 'vitest';
import { webhookBody } from '../../../src/core/delivery/webhook-body.ts';
import { ApprovalAnswer } from '../../../src/protocol/schema/kinds/approval.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { requested } from '../../support/target-world.ts';

function bodiesFor(request: JsonObject): JsonObject[] {
  const { announcement } = requested('s', 1);
  const body = webhookBody({
    workspace: 'main',
    sessionId: 's',
    announcement: { ...announcement, request } as typeof announcement,
    answerUrl: 'https://holdpoint.example/v1/inbound/tgt_1/msg_1',
    link: undefined,
    timestamp: '2026-01-01T00:00:00.000Z',
  }) as { data: { answer: { bodies: JsonObject[] } } };
  return body.data.answer.bodies;
}

it('[APR-6] names each choice of an approval, and a denial, in place of an approval', () => {
  const choices = [
    { id: 'go', label: 'Go', decision: 'approve' },
    { id: 'never', label: 'Never', decision: 'deny' },
  ];
  const bodies = bodiesFor({ input: {}, choices });
  expect(bodies).toEqual([
    { choice: 'go' },
    { choice: 'never', reason: '…' },
    { decision: 'deny', reason: '…' },
  ]);
  for (const body of bodies) expect(ApprovalAnswer.safeParse(body).success).toBe(true);
});

it('[OUT-4] names an approval and a denial without choices', () => {
  expect(bodiesFor({ input: {} })).toEqual([
    { decision: 'approve' },
    { decision: 'deny', reason: '…' },
  ]);
});
