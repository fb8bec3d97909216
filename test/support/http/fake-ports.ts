/** The ports of the HTTP application without sessions: stubs that record the received commands. */
import type { Command, Context } from '../../../src/protocol/schema/command.ts';
import type { AudiencePolicy } from '../../../src/protocol/schema/audience-rule.ts';
import type { Policy } from '../../../src/protocol/schema/workspace.ts';
import { signedAnswerLinks } from '../../../src/platform/answer-links.ts';
import { noLogin } from '../../../src/platform/login/no-login.ts';
import { reject } from '../../../src/protocol/errors.ts';
import type { HttpPorts, Identity } from '../../../src/http/ports.ts';
import { RecordedWaits } from '../../../src/http/streaming/recorded-waits.ts';
import type {
  InboxStub,
  SessionConnections,
  SessionStub,
  WorkspaceStub,
} from '../../../src/http/stubs.ts';

export const ANYBODY: Identity = {
  caller: { credential: 'key_1', subject: 'tester', via: 'api', scopes: ['admin'] },
  workspace: 'main',
  session: null,
  expiresAt: null,
  chain: ['key_1'],
};

interface Asked {
  readonly workspace: string;
  readonly session: string;
  readonly command: Command;
  readonly context: Context;
}

export interface FakePorts extends HttpPorts {
  /** Every command that reached a session, in order. */
  readonly asked: Asked[];
  readonly warnings: { readonly message: string; readonly evidence: unknown }[];
}

const noReference = () => {
  throw new Error('This test opens no reference');
};

const NO_AUDIENCES: AudiencePolicy = {
  rules: [],
  groups: [],
  targetNames: {},
  gateRules: [],
  prices: [],
};

/** The bearer token `good` has every right; a test overrides the ports that it tests. */
export function fakePorts(over: Partial<HttpPorts> = {}): FakePorts {
  const asked: Asked[] = [];
  const warnings: FakePorts['warnings'] = [];
  let ids = 0;
  const policy: Policy = { revoked: [], settings: { timeouts: {} } };
  return {
    asked,
    warnings,
    ...sessionPorts((workspace, session) => ({
      async handle(command, context) {
        asked.push({ workspace, session, command, context });
        return reject('not_found', 'There is no such session');
      },
    })),
    workspace: () => ({}) as WorkspaceStub,
    findTarget: async () => undefined,
    mcp: undefined,
    inbox: () => ({}) as InboxStub,
    credentials: {
      verify: async (token) => (token === 'good' ? ANYBODY : undefined),
      sign: async () => 'signed',
    },
    answerLinks: signedAnswerLinks('a secret of the tests, long enough'),
    policy: { get: async () => policy, refresh: async () => policy },
    recordedWaits: new RecordedWaits(),
    audiences: { get: async () => NO_AUDIENCES, refresh: async () => NO_AUDIENCES },
    members: { get: async () => [], refresh: async () => [] },
    login: noLogin('a secret of the tests, long enough', () => 1_800_000_000_000),
    limiter: { take: async () => undefined },
    sessionLimiter: { take: async () => undefined },
    toolSecret: async (workspace) => `whsec_of_${workspace}`,
    rejectUpgrade: () => {
      throw new Error('This test opens no socket');
    },
    config: {
      version: '0.0.0',
      agent: 'none',
      origins: [],
      timeouts: {},
      forbidSelfApproval: true,
    },
    web: {
      page: () => {
        throw new Error('This test opens no page');
      },
      worker: () => {
        throw new Error('This test starts no service worker');
      },
      asset: async () => undefined,
      picture: async () => undefined,
      linkStyle: async () => 'answer-link.css',
    },
    reference: {
      document: noReference,
      page: noReference,
      style: noReference,
    },
    now: () => 1_800_000_000_000,
    freshId: () => {
      ids += 1;
      return `id-${ids}`;
    },
    warn: (message, evidence) => void warnings.push({ message, evidence }),
    ...over,
  };
}

/** Every session exists, and has these methods. */
export function sessionPorts(
  callsOf: (workspace: string, id: string) => Partial<SessionStub>,
): Pick<HttpPorts, 'findSession' | 'newSession'> {
  const newSession = (workspace: string, id: string) => callsOf(workspace, id) as SessionStub;
  return {
    newSession,
    findSession: async (workspace, id) => ({
      ok: true,
      session: newSession(workspace, id),
      connections: {} as SessionConnections,
    }),
  };
}

export const GOOD = { Authorization: 'Bearer good' };
