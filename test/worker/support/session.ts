/** A session of its own for a test, and the few things every test does with one. */
import { env } from 'cloudflare:test';
import { sessionName } from '../../../src/platform/cloudflare/env.ts';
import { HOME_WORKSPACE } from '../../../src/protocol/workspaces.ts';
import type { SessionEvent } from '../../../src/protocol/schema/event.ts';
import type { InteractionView } from '../../../src/protocol/schema/interaction.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { type Ask, type Reply, call, freshName, must } from './api.ts';

export interface TestSession {
  readonly id: string;
  readonly path: string;
  /** Default: the administrator's. */
  readonly workspace?: string;
  /** A credential of that workspace. */
  readonly token?: string;
}

export function askAs({ token }: TestSession): Ask {
  return token === undefined ? {} : { token };
}

export async function createSession(
  settings: JsonObject = {},
  place: Pick<TestSession, 'workspace' | 'token'> = {},
): Promise<TestSession> {
  const id = freshName('ses');
  const session = { id, path: `/v1/sessions/${id}`, ...place };
  await must('POST', '/v1/sessions', { ...askAs(session), body: { id, ...settings } });
  return session;
}

export function sessionStub(session: TestSession) {
  const { id, workspace = HOME_WORKSPACE } = session;
  return env.SESSION.getByName(sessionName(workspace, id));
}

export function workspaceStub(name: string = HOME_WORKSPACE) {
  return env.WORKSPACE.getByName(name);
}

/** The request of an agent; `more` adds or replaces fields. */
export function approval(more: JsonObject = {}): JsonObject {
  return {
    kind: 'approval',
    toolName: 'Bash',
    toolCallId: freshName('call'),
    input: { command: 'ls -la' },
    ...more,
  };
}

export function question(more: JsonObject = {}): JsonObject {
  return {
    kind: 'question',
    toolName: 'AskUserQuestion',
    toolCallId: freshName('call'),
    questions: [
      {
        header: 'Color',
        question: 'Which color?',
        options: [{ label: 'Red' }, { label: 'Blue' }],
        multiSelect: false,
      },
    ],
    ...more,
  };
}

export async function open(
  session: TestSession,
  body: JsonObject = approval(),
  ask: Ask = {},
): Promise<InteractionView> {
  const how = { ...askAs(session), ...ask, body };
  const reply = await must('POST', `${session.path}/interactions`, how);
  if (reply.interaction === undefined) throw new Error('Nothing was opened');
  return reply.interaction;
}

export function answer(
  session: TestSession,
  interactionId: string,
  body: JsonObject = { decision: 'approve' },
  ask: Ask = {},
): Promise<Reply> {
  const how = { ...askAs(session), ...ask, body };
  return call('POST', `${session.path}/interactions/${interactionId}/answer`, how);
}

/** The whole log, page by page. */
export async function logOf(session: TestSession): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for (;;) {
    const page = await must(
      'GET',
      `${session.path}/events?limit=1000&after=${events.at(-1)?.seq ?? 0}`,
      askAs(session),
    );
    events.push(...(page.events ?? []));
    if (page.more !== true) return events;
  }
}
