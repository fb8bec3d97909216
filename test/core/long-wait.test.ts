/** A bug here would give up on a person who takes long: a turn ended, or a question gone, unasked. */
import { describe, expect, it } from 'vitest';
import { answer, append, askApproval } from '../support/asks.ts';
import { MINUTE, worldAfter } from '../support/core-world.ts';

const MONTH = 30 * 24 * 60 * MINUTE;

describe('a person who takes a month', () => {
  const begin = append({ type: 'turn_started', turnId: 'turn-1', payload: {} });

  it('[TIME-7] uses up none of the time of the turn', () => {
    const world = worldAfter(begin, askApproval({ turnId: 'turn-1', timeoutSeconds: null }));
    const before = world.log.length;
    world.advance(MONTH);
    expect(world.log).toHaveLength(before);
    expect(world.live.info.turn).toMatchObject({ turnId: 'turn-1' });
    world.run(answer('call-1~1', { decision: 'approve' }));
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'approved' });
    expect(world.live.info.turn).toMatchObject({ turnId: 'turn-1' });
  });

  it('[TIME-7] holds up nobody else in the session', () => {
    const world = worldAfter(begin, askApproval({ turnId: 'turn-1', timeoutSeconds: null }));
    world.advance(MONTH);
    world.run(askApproval({ toolCallId: 'call-2', turnId: 'turn-1', timeoutSeconds: null }));
    world.run(answer('call-2~1', { decision: 'deny' }));
    expect(world.record('call-2~1')).toMatchObject({ outcome: 'denied' });
    expect(world.record('call-1~1')).toMatchObject({ status: 'open' });
  });
});
