/**
 * A session with an open interaction of every kind, a rule, a queued message, a key and a token, as the target of
 * requests; and everything that a client can see, to prove that a refused request changed nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { ask, type Reachable, send } from './call.ts';
import { ADMIN_KEY } from './server.ts';

export const KINDS_OPEN = ['approval', 'question', 'plan', 'form'] as const;
export type Opened = (typeof KINDS_OPEN)[number];

export interface SampleSession {
  readonly session: string;
  readonly open: Readonly<Record<Opened, { readonly id: string; readonly inputDigest: string }>>;
  readonly rule: string;
  /** A message that waits for an approval. */
  readonly queued: string;
  /** A file that nothing names. */
  readonly attachment: string;
  readonly key: string;
  readonly token: string;
  readonly target: string;
  /** A session id that was never used. */
  readonly unused: string;
}

const OPENINGS: Readonly<Record<Opened, JsonObject>> = {
  approval: {
    kind: 'approval',
    toolCallId: 'call-approval',
    toolName: 'Bash',
    input: { command: 'rm -rf build' },
    allowEdit: true,
    offers: ['once', 'session'],
    timeoutSeconds: 3_600,
  },
  question: {
    kind: 'question',
    toolCallId: 'call-question',
    toolName: 'AskUserQuestion',
    timeoutSeconds: 3_600,
    questions: [
      {
        header: 'Color',
        question: 'Which color?',
        options: [{ label: 'Red' }, { label: 'Green' }],
      },
      {
        header: 'Sizes',
        question: 'Which sizes?',
        options: [{ label: 'S' }, { label: 'L' }],
        multiSelect: true,
      },
    ],
  },
  plan: {
    kind: 'plan_review',
    toolCallId: 'call-plan',
    toolName: 'ExitPlanMode',
    plan: '1. Look\n2. Leap',
    timeoutSeconds: 3_600,
  },
  form: {
    kind: 'form',
    toolCallId: 'call-form',
    toolName: 'collect',
    timeoutSeconds: 3_600,
    schema: {
      type: 'object',
      properties: {
        host: { type: 'string' },
        port: { type: 'integer', minimum: 1, maximum: 65_535 },
      },
      required: ['host', 'port'],
    },
  },
};

/** The conversation of a command-line agent that belongs to the session. */
export function cliOf(session: string) {
  return { provider: 'claude-code', cliSessionId: `cli-${session}` };
}

/** No session has such an id, so nothing is sent. */
export const QUIET_TARGET = {
  type: 'webhook',
  url: 'https://hooks.example.com/holdpoint',
  events: ['interaction.requested', 'interaction.resolved'],
  filter: { kinds: ['approval'], tools: ['Bash'], sessions: 'no-such-session' },
};

let count = 0;

/** A sample session whose events are all reported to the workspace, so no list changes by itself. */
export async function settledSampleSession(server: Reachable): Promise<SampleSession> {
  const sample = await openSampleSession(server);
  await waitUntilListed(server, sample.session);
  return sample;
}

interface SampleOptions {
  /** Opens the interactions: among credentials with the scope `agent` alone, only this one may cancel them. */
  readonly opener?: string;
  /** Whose key and target it has too: a workspace with hundreds of targets compares every announcement with each. */
  readonly besides?: Pick<SampleSession, 'key' | 'target'>;
}

export async function openSampleSession(
  server: Reachable,
  { opener = ADMIN_KEY, besides }: SampleOptions = {},
): Promise<SampleSession> {
  count += 1;
  const number = count;
  const session = `place-${number}`;
  const at = `/v1/sessions/${session}`;
  // Whatever mode other tests made the default of the workspace.
  const json = { id: session, title: 'Here', permissionMode: 'default' };
  await ask(server, { method: 'POST', path: '/v1/sessions', json });
  await ask(server, {
    method: 'POST',
    path: `${at}/interactions`,
    json: { ...OPENINGS.approval, toolCallId: 'call-ruled', toolName: 'Read' },
  });
  await ask(server, {
    method: 'POST',
    path: `${at}/interactions/call-ruled~1/answer`,
    json: { decision: 'approve', offer: 'session', everyCommand: true },
  });
  const rules = await ask(server, { method: 'GET', path: `${at}/rules` });
  let queued = '';
  const open = {} as Record<Opened, { id: string; inputDigest: string }>;
  for (const name of KINDS_OPEN) {
    const { interaction } = (await ask(server, {
      method: 'POST',
      path: `${at}/interactions`,
      json: OPENINGS[name],
      token: opener,
    })) as { interaction: { interactionId: string; inputDigest: string } };
    if (name === 'approval') queued = await queue(server, at);
    open[name] = { id: interaction.interactionId, inputDigest: interaction.inputDigest };
  }
  await ask(server, { method: 'PUT', path: `${at}/cli`, json: cliOf(session) });
  const { key, target } = besides ?? (await makeKeyAndTarget(server, session));
  return {
    session,
    open,
    target,
    queued,
    attachment: await attachSample(server, at),
    rule: (rules as { rules: { id: string }[] }).rules[0]?.id ?? '',
    key,
    token: `tok_place_${number}`,
    unused: `unused-${number}`,
  };
}

async function makeKeyAndTarget(server: Reachable, name: string) {
  const { key } = (await ask(server, {
    method: 'POST',
    path: '/v1/keys',
    json: { name, scopes: ['read'] },
  })) as { key: { id: string } };
  const { target } = (await ask(server, {
    method: 'POST',
    path: '/v1/targets',
    json: QUIET_TARGET,
  })) as { target: { id: string } };
  return { key: key.id, target: target.id };
}

async function attachSample(server: Reachable, at: string): Promise<string> {
  const path = `${at}/attachments?name=note.txt`;
  const { attachment } = await ask(server, { method: 'POST', path, body: 'Mind the step.' });
  return (attachment as { attachmentId: string }).attachmentId;
}

async function queue(server: Reachable, at: string): Promise<string> {
  const json = { text: 'And then rest.' };
  const sent = await ask(server, { method: 'POST', path: `${at}/messages`, json });
  return (sent as { messageId: string }).messageId;
}

/** Everything that a client can see, except the time of reading: equal before and after means that nothing changed. */
export async function readVisibleState(
  server: Reachable,
  sample: SampleSession,
): Promise<JsonObject[]> {
  const at = `/v1/sessions/${sample.session}`;
  const seen = await Promise.all(
    [
      at,
      `${at}/interactions?status=settled`,
      `${at}/rules`,
      `${at}/history`,
      '/v1/sessions?limit=1000',
      '/v1/keys',
      '/v1/targets',
      '/v1/settings',
    ].map((path) => ask(server, { method: 'GET', path })),
  );
  const unused = await send(server, { method: 'GET', path: `/v1/sessions/${sample.unused}` });
  return [...seen.map(({ now: _now, ...rest }) => rest), { unused: unused.status }];
}

/** Waits until the workspace lists the session; otherwise the preparation would look like a change. */
export async function waitUntilListed(server: Reachable, session: string): Promise<void> {
  const { head } = await ask(server, { method: 'GET', path: `/v1/sessions/${session}` });
  for (let tries = 0; tries < 500; tries += 1) {
    const page = await ask(server, { method: 'GET', path: '/v1/sessions' });
    const { sessions } = page as { sessions: { id: string; head: number }[] };
    if (sessions.some((entry) => entry.id === session && entry.head === head)) return;
    await sleep(20);
  }
  throw new Error(`${session} did not appear in the list of sessions`);
}
