/** A bug here deletes a session while somebody is asked something in it, or after it has gone on. */
import { describe, expect, it } from 'vitest';
import { deleteIdleSession } from '../../src/session/delete-idle.ts';
import { answer, askApproval, sendMessage } from '../support/asks.ts';
import { sessionAfter } from '../support/session-storage.ts';

describe('[TEAM-9] a session that its workspace wants to delete', () => {
  it('refuses while a request is open, and after an event that the workspace does not know', async () => {
    const world = await sessionAfter(askApproval());
    const head = world.log().length;
    expect(deleteIdleSession(world.session, head)).toBe(false);
    world.must(answer('call-1~1', { decision: 'approve' }));
    expect(deleteIdleSession(world.session, head)).toBe(false);
    const known = world.log().length;
    world.must(sendMessage('One more thing'));
    expect(deleteIdleSession(world.session, known)).toBe(false);
    expect(world.state?.info.deletedAt).toBeNull();
    expect(deleteIdleSession(world.session, world.log().length)).toBe(true);
    expect(world.state?.info.deletedAt).not.toBeNull();
    // A repeated call finds nothing left to do.
    expect(deleteIdleSession(world.session, known)).toBe(true);
  });

  it('says in the audit list that the retention did it', async () => {
    const world = await sessionAfter();
    expect(deleteIdleSession(world.session, world.log().length)).toBe(true);
    await world.quiet();
    expect(world.workspace.audit.at(-1)).toMatchObject({
      what: 'session',
      change: 'deleted',
      subject: 'retention',
      via: 'system',
    });
  });
});
