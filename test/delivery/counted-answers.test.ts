/** Which messages use up what the receiver of a target may answer. A bug here lets a stranger silence the receiver. */
import { expect, it } from 'vitest';
import { signMessage } from '../../src/core/delivery/webhook-signature.ts';
import { CONFIG, requested, TargetWorld } from '../support/target-world.ts';

const CONTENT = { answer: { decision: 'approve' }, inputDigest: 'd'.repeat(64) };

it('[LIM-3, OUT-4] verified answers alone are counted, and a copy of one is not', async () => {
  const world = new TargetWorld();
  await world.receive(requested('a', 1));
  let left = 2;
  let counted = 0;
  world.countAnswer = () => {
    counted += 1;
    left -= 1;
    return left < 0 ? 7 : undefined;
  };
  const body = JSON.stringify(CONTENT);
  const post = async (id: string, forged?: string) => {
    const seconds = world.now / 1_000;
    const signature = forged ?? signMessage(CONFIG.secrets, { id, seconds, body }, world.now);
    const message = { id, timestamp: String(seconds), signature, authorization: null };
    const result = await world.target.answer('msg_1_1', { ...message, body, content: CONTENT });
    return result.ok ? 'answered' : result.code;
  };
  for (const forged of ['', 'v1,AAAA', 'v1,BBBB']) {
    expect(await post('a', forged)).toBe('unauthenticated');
  }
  expect(await post('a')).toBe('answered');
  for (let copy = 0; copy < 3; copy += 1) expect(await post('a')).toBe('message_repeated');
  expect(counted).toBe(1);
  expect(await post('b')).toBe('answered');
  expect(await post('c')).toBe('rate_limited');
  expect(world.answers).toHaveLength(2);
  left = 1;
  expect(await post('c')).toBe('answered');
});
