/**
 * The lists across sessions, over HTTP: the inbox, the list of sessions, the audit list.
 *
 * A bug would look like an open question that is missing in the inbox, a settled question that stays there, a
 * page that shows an entry twice or skips it, a decision without a trace.
 */
import { env } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { SessionStub } from '../../src/http/stubs.ts';
import { sessionName } from '../../src/platform/cloudflare/env.ts';
import type { Command } from '../../src/protocol/schema/command.ts';
import type { AuditEntry, InboxEntry } from '../../src/protocol/schema/workspace.ts';
import { countFor } from '../support/run-length.ts';
import { type Body, call, must } from './support/api.ts';
import { told } from './support/costs.ts';
import {
  type TestSession,
  answer,
  approval,
  createSession,
  open,
  question,
} from './support/session.ts';

/** Every page of a list, one after the other. */
async function allPages<Item>(
  path: string,
  cursor: 'after' | 'before',
  items: (body: Body) => readonly Item[] | undefined,
): Promise<Item[]> {
  const found: Item[] = [];
  let next: string | undefined;
  do {
    const from = next === undefined ? '' : `&${cursor}=${next}`;
    const page = await must('GET', `${path}${from}`);
    found.push(...(items(page) ?? []));
    next = page.next;
  } while (next !== undefined);
  return found;
}

function inboxOf(limit: number): Promise<InboxEntry[]> {
  return allPages(`/v1/inbox?limit=${limit}`, 'after', (page) => page.interactions);
}

function auditOf(session: TestSession, limit = 100): Promise<AuditEntry[]> {
  return allPages(`/v1/audit?limit=${limit}`, 'before', (page) =>
    page.entries?.filter((entry) => entry.sessionId === session.id),
  );
}

describe('the inbox', () => {
  it('[INBOX-1] shows the open interactions, oldest deadline first, and drops an answered interaction', async () => {
    const session = await createSession({ title: 'Deploy' });
    const later = await open(session, approval({ timeoutSeconds: 900 }));
    const never = await open(session, question({ timeoutSeconds: null }));
    const soon = await open(session, approval({ timeoutSeconds: 60 }));
    await told(session);
    const ofSession = async () =>
      (await inboxOf(100)).filter((entry) => entry.sessionId === session.id);
    const ids = (entries: InboxEntry[]) => entries.map((entry) => entry.interactionId);
    const entries = await ofSession();
    expect(ids(entries)).toEqual([soon, later, never].map((one) => one.interactionId));
    expect(entries[0]).toMatchObject({
      sessionTitle: 'Deploy',
      toolName: 'Bash',
      request: { input: { command: 'ls -la' } },
      inputDigest: soon.inputDigest,
      expiresAt: soon.expiresAt,
    });

    await answer(session, later.interactionId);
    await told(session);
    expect(ids(await ofSession())).toEqual([soon, never].map((one) => one.interactionId));
    await call('DELETE', session.path);
    expect(await ofSession()).toEqual([]);
    const { sessions } = await must('GET', '/v1/sessions?limit=1000');
    expect(sessions?.some((one) => one.id === session.id)).toBe(false);
  });

  it('[INBOX-1] follows a deadline that was extended', async () => {
    const session = await createSession();
    const { interactionId, expiresAt } = await open(session, approval({ timeoutSeconds: 600 }));
    await told(session);
    await must('POST', `${session.path}/interactions/${interactionId}/extend`);
    await told(session);
    const entries = (await inboxOf(100)).filter((entry) => entry.sessionId === session.id);
    expect(entries.map((entry) => entry.expiresAt)).toEqual([(expiresAt ?? 0) + 600_000]);
  });

  it('[INBOX-1] shows a detached question before its opening is answered', async () => {
    const session = await createSession();
    const { interactionId } = await open(session, question({ detached: true }));
    const entries = await inboxOf(1_000);
    expect(entries.some((entry) => entry.interactionId === interactionId)).toBe(true);
  });

  it('[INBOX-1, AUTH-2] is refused to a token of one session, and without read', async () => {
    const session = await createSession();
    const body = { scopes: ['read', 'answer', 'send'] };
    const { token } = await must('POST', `${session.path}/tokens`, { body });
    expect((await call('GET', '/v1/inbox', { token: token ?? '' })).status).toBe(403);
    const writer = await must('POST', '/v1/tokens', { body: { scopes: ['send'] } });
    expect((await call('GET', '/v1/inbox', { token: writer.token ?? '' })).status).toBe(403);
    expect((await call('GET', '/v1/inbox?after=nonsense')).status).toBe(400);
  });
});

describe('the audit list', () => {
  it('[AUTH-5] has every decision: person, tool, time, origin and input', async () => {
    const session = await createSession();
    const body = { scopes: ['read', 'answer'], subject: 'ada' };
    const { token } = await must('POST', '/v1/tokens', { body });
    const ada = { token: token ?? '' };
    const allowed = await open(session, approval({ offers: ['once', 'session'] }));
    await answer(
      session,
      allowed.interactionId,
      { decision: 'approve', offer: 'session', everyCommand: true },
      ada,
    );
    await must('POST', `${session.path}/interactions`, { body: approval() });
    const refused = await open(session, approval({ toolName: 'Write' }));
    await answer(session, refused.interactionId, { decision: 'deny', reason: 'No' });
    await must('PATCH', session.path, { body: { permissionMode: 'plan' } });
    await told(session);

    const record = await must('GET', `${session.path}/interactions/${allowed.interactionId}`);
    expect((await auditOf(session)).toReversed()).toMatchObject([
      {
        what: 'interaction',
        subject: 'ada',
        via: 'web',
        interactionId: allowed.interactionId,
        toolName: 'Bash',
        outcome: 'approved',
        digest: record.interaction?.authorizedDigest,
        at: record.interaction?.settledAt,
      },
      { what: 'settings', subject: 'ada', toolName: 'Bash' },
      { what: 'gate', via: 'rule', toolName: 'Bash', outcome: 'approved' },
      { what: 'interaction', subject: 'admin', via: 'api', outcome: 'denied', reason: 'No' },
      { what: 'settings', subject: 'admin', permissionMode: 'plan' },
    ]);
    expect(record.interaction?.authorizedDigest).toMatch(/\S/);
  });

  it('[AUTH-5] pages through without missing or doubling an entry', async () => {
    const session = await createSession();
    const asked = await Promise.all(Array.from({ length: 30 }, () => open(session)));
    await Promise.all(asked.map(({ interactionId }) => answer(session, interactionId)));
    await told(session);
    const inSevens = (await auditOf(session, 7)).map((entry) => entry.interactionId ?? '');
    expect(inSevens.toSorted()).toEqual(asked.map((one) => one.interactionId).toSorted());
  });

  it('[AUTH-5, AUTH-6] is for administrators alone', async () => {
    const scopes = ['read', 'answer', 'send', 'agent'];
    const { secret } = await must('POST', '/v1/keys', { body: { name: 'all but', scopes } });
    expect((await call('GET', '/v1/audit', { token: secret ?? '' })).status).toBe(403);
  });
});

describe('many sessions', () => {
  const COUNT = countFor({ quick: 30, long: 300 });

  it('[INBOX-1] with an open question each are all listed, once, in pages of any size', {
    timeout: 60_000,
  }, async () => {
    const ids = Array.from({ length: COUNT }, (_, index) => `many-${index}`);
    for (let from = 0; from < COUNT; from += 25) {
      await Promise.all(ids.slice(from, from + 25).map(beginAndAsk));
    }
    const ofThese = (entries: { sessionId: string }[]) =>
      entries.map((entry) => entry.sessionId).filter((id) => id.startsWith('many-'));
    for (const limit of [17, 1_000]) {
      const entries = await inboxOf(limit);
      expect(ofThese(entries).toSorted()).toEqual(ids.toSorted());
      const { total } = await must('GET', '/v1/inbox?limit=1');
      expect(total).toBe(entries.length);
    }
    const sessions = await allPages('/v1/sessions?limit=23', 'before', (page) => page.sessions);
    const listed = sessions.map(({ id }) => id).filter((id) => id.startsWith('many-'));
    expect(listed.toSorted()).toEqual(ids.toSorted());
  });
});

/** Calls the object without HTTP. Detached, so that the workspace knows when this call returns. */
async function beginAndAsk(id: string): Promise<void> {
  const door = env.SESSION.getByName(sessionName('main', id)) as unknown as SessionStub;
  const caller = { credential: 'admin', subject: 'admin', via: 'api', scopes: ['admin'] } as const;
  const commands: Command[] = [
    { type: 'session.create', id },
    {
      type: 'interaction.open',
      common: { kind: 'approval', toolName: 'Bash', toolCallId: `call-${id}`, detached: true },
      request: { input: { command: 'ls' } },
    },
  ];
  for (const command of commands) {
    expect((await door.handle(command, { caller, timeouts: {} })).ok).toBe(true);
  }
}
