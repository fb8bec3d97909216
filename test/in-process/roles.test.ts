/** Roles hold in a process too: an agent that could answer its own request would make every approval worthless. */
import { describe, expect, it } from 'vitest';
import { InProcessHost } from '../../src/in-process/index.ts';
import type { Role } from '../../src/in-process/role.ts';
import { approval, ask, refusal } from './support/questions.ts';

async function openHost() {
  const host = new InProcessHost();
  const owner = host.transport();
  const { id } = await owner.createSession();
  return {
    host,
    owner,
    id,
    agent: host.transport({ subject: 'bot', scopes: ['agent', 'read'] }),
    person: host.transport({ subject: 'ada', scopes: ['read', 'answer', 'send'] }),
  };
}

describe('roles in a process', () => {
  it('[AUTH-6] lets an agent ask and not answer', async () => {
    const { id, agent, person } = await openHost();
    await ask(agent, id);
    for (const attempt of [
      () => agent.approveTool(id, 'call-1'),
      () => agent.answer(id, 'call-1~1', { decision: 'approve' }),
      () => agent.decide(id, [{ toolCallId: 'call-1', answer: { decision: 'approve' } }]),
      () => agent.extend(id, 'call-1~1'),
      () => agent.sendMessage(id, 'yes').routed,
      () => agent.setMode(id, 'acceptEdits'),
      () => agent.deleteSession(id),
    ]) {
      expect(await refusal(attempt())).toMatchObject({ code: 'forbidden', status: 403 });
    }
    await person.approveTool(id, 'call-1');
    const settled = await agent.interaction(id, 'call-1~1');
    expect(settled).toMatchObject({ outcome: 'approved', settledBy: { subject: 'ada' } });
    expect(settled.settledBy?.credential).not.toBe(settled.openedBy.credential);
  });

  it('[AUTH-8] lets no role answer its own request, unless the program allows it or the role has every scope', async () => {
    const both: Role = { subject: 'bot', scopes: ['agent', 'answer', 'send', 'read'] };
    for (const forbidSelfApproval of [undefined, true, false]) {
      const host = new InProcessHost({
        ...(forbidSelfApproval !== undefined && { forbidSelfApproval }),
      });
      const owner = host.transport();
      const { id } = await owner.createSession();
      const bot = host.transport(both);
      await ask(bot, id);
      const works = [
        () => bot.approveTool(id, 'call-1'),
        () => bot.answer(id, 'call-1~1', { decision: 'approve' }),
        () => bot.answerText(id, 'call-1~1', 'yes'),
      ];
      if (forbidSelfApproval === false) {
        await works[0]?.();
        continue;
      }
      for (const work of works) {
        expect(await refusal(work())).toMatchObject({
          code: 'forbidden',
          details: { setting: 'forbidSelfApproval' },
        });
      }
      const [result] = await bot.decide(id, [
        { toolCallId: 'call-1', answer: { decision: 'approve' } },
      ]);
      expect(result).toMatchObject({ ok: false, code: 'forbidden' });
      await host.transport({ subject: 'ada', scopes: ['answer'] }).approveTool(id, 'call-1');
      await ask(owner, id, approval('call-2'));
      await owner.approveTool(id, 'call-2');
    }
  });

  it('[AUTH-6] lets a person answer and not ask', async () => {
    const { id, person } = await openHost();
    for (const work of [
      person.open(id, approval()),
      person.createSession(),
      person.appendEvents(id, [{ type: 'turn_started' }]),
      person.setMode(id, 'bypassPermissions'),
    ]) {
      expect(await refusal(work)).toMatchObject({ code: 'forbidden' });
    }
  });

  it('[AUTH-6] shows nothing to a caller without the scope read', async () => {
    const { host, owner, id } = await openHost();
    await ask(owner, id);
    const blind = host.transport({ subject: 'pager', scopes: ['answer'] });
    for (const work of [
      blind.snapshot(id),
      blind.rules(id),
      blind.sessions(),
      blind.inbox(),
      blind.interaction(id, 'call-1~1'),
      blind.interaction(id, 'call-1~1', { waitSeconds: 5 }),
    ]) {
      expect(await refusal(work)).toMatchObject({ code: 'forbidden' });
    }
    const subscription = blind.subscribe(id, {});
    await expect
      .poll(() => subscription.status)
      .toMatchObject({ type: 'closed', error: { code: 'forbidden' } });
    expect(await blind.answer(id, 'call-1~1', { decision: 'deny' })).toMatchObject({
      isMine: true,
    });
    const late = await refusal(blind.answer(id, 'call-1~1', { decision: 'approve' }));
    expect(late).toMatchObject({ code: 'already_settled' });
  });

  it('[AUTH-6] lets an agent cancel its own requests alone', async () => {
    const { host, id, agent } = await openHost();
    const other = host.transport({ subject: 'other bot', scopes: ['agent', 'read'] });
    await ask(agent, id);
    expect(await refusal(other.cancel(id, 'call-1~1'))).toMatchObject({ code: 'forbidden' });
    const again = host.transport({ subject: 'bot', scopes: ['read', 'agent'] });
    expect(await again.cancel(id, 'call-1~1')).toMatchObject({ isMine: true });
  });

  it('[AUTH-2] hides other sessions from a role of one session', async () => {
    const { host, owner, id } = await openHost();
    const other = await owner.createSession();
    const guest = host.transport({ subject: 'guest', scopes: ['read', 'answer'], session: id });
    expect((await guest.snapshot(id)).session.id).toBe(id);
    expect(await refusal(guest.snapshot(other.id))).toMatchObject({ code: 'not_found' });
    expect(await refusal(guest.inbox())).toMatchObject({ code: 'forbidden' });
  });

  it('[AUTH-6] refuses a role with invalid scopes or an invalid `via`', async () => {
    const { host } = await openHost();
    expect(() => host.transport({ subject: 'x', scopes: [] })).toThrow(/scopes/);
    expect(() => host.transport({ subject: 'x', scopes: ['root'] as never })).toThrow(/scopes/);
    expect(() =>
      host.transport({ subject: 'x', scopes: ['read'], via: 'timeout' as never }),
    ).toThrow();
  });
});
