/**
 * All routes of a server in this process, over workspaces in memory: for tests that send thousands of requests to which
 * the runtime under the application makes no difference.
 *
 * The long run sends the same requests to the built bundle under plain workerd (`startRoutes`).
 */
import { readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { REFERENCE_BUNDLE, WEB_BUNDLE } from '../../../scripts/lib/paths.ts';
import { createApp } from '../../../src/http/app.ts';
import type { HttpPorts } from '../../../src/http/ports.ts';
import { RecordedWaits } from '../../../src/http/streaming/recorded-waits.ts';
import type { WorkspaceStub } from '../../../src/http/stubs.ts';
import { withMcp } from '../../../src/http/with-mcp.ts';
import { serveMcpRequest } from '../../../src/integrations/mcp/serve-http.ts';
import type { ToolHost } from '../../../src/integrations/mcp/tool-host.ts';
import { systemClock } from '../../../src/in-process/clock.ts';
import { localFetch } from '../../../src/in-process/local-fetch.ts';
import { SessionHost } from '../../../src/in-process/session-host.ts';
import { memory } from '../../../src/in-process/storage.ts';
import {
  findLocalSession,
  localInboxStub,
  localSessionStub,
  localWorkspaceStub,
} from '../../../src/in-process/stubs.ts';
import { targetStub } from '../../../src/in-process/target-host.ts';
import { signedAnswerLinks } from '../../../src/platform/answer-links.ts';
import { freshId } from '../../../src/platform/fresh-id.ts';
import { HmacCredentials } from '../../../src/platform/hmac-credentials.ts';
import { httpTools } from '../../../src/platform/http-tools/http-tools.ts';
import { toolSigningSecret } from '../../../src/platform/http-tools/tool-signature.ts';
import { IsolateCache } from '../../../src/platform/isolate-cache.ts';
import { type LoginSettings, loginPorts } from '../../../src/platform/login/login-settings.ts';
import { noLogin } from '../../../src/platform/login/no-login.ts';
import { sealedTexts } from '../../../src/platform/login/sealed-texts.ts';
import { mcpStateKey } from '../../../src/platform/mcp-state-key.ts';
import { noLimiter } from '../../../src/platform/rate-limit.ts';
import { referenceFiles, webFiles } from '../../../src/platform/web-files.ts';
import { webhookSender } from '../../../src/platform/webhooks/send-webhook.ts';
import type { Role } from '../../../src/protocol/schema/person.ts';
import { HOME_WORKSPACE } from '../../../src/protocol/workspaces.ts';
import { isLongRun } from '../run-length.ts';
import type { Reachable } from './call.ts';
import { ADMIN_KEY, SECRET, startServer } from './server.ts';

/** A server as a sender of requests sees it. */
export interface Routes extends Reachable {
  /** The headers of a page in which a new person with this role is signed in; only of an application in this process. */
  readonly signIn?: (role: Role) => Promise<Readonly<Record<string, string>>>;
  /** Fails if the application warned about anything. */
  expectUnharmed(): Promise<void>;
}

/** In the short run in this process, in the long run under workerd. */
export async function startRoutes(): Promise<Routes> {
  return isLongRun ? startServer() : startLocalApp();
}

const URL_OF_APP = 'http://in-process';

interface LocalAppOptions {
  /** Shorter waits of MCP tools than those of a deployment. */
  readonly mcp?: Partial<ToolHost>;
  readonly login?: LoginSettings;
}

export function startLocalApp({ mcp, login }: LocalAppOptions = {}): Routes {
  const warnings: unknown[] = [];
  const warn = (message: string, evidence: unknown) => void warnings.push([message, evidence]);
  const hosts = new Map<string, SessionHost>();
  const hostOf = (workspace: string) => {
    const known = hosts.get(workspace) ?? makeHost(warn);
    hosts.set(workspace, known);
    return known;
  };
  const app = createApp(
    withMcp(portsOver(hosts, hostOf, { warn, login }), {
      stateKey: (workspace) => mcpStateKey(SECRET, workspace),
      serve: (request, body, host) =>
        serveMcpRequest({
          request,
          body,
          host: { ...host, ...mcp },
          info: { version: 'test' },
        }),
    }),
  );
  afterAll(() => hosts.forEach((host) => host.close()));
  return {
    url: URL_OF_APP,
    fetch: localFetch((request) => app.fetch(request)),
    signIn: (role) => signInAs(localWorkspaceStub(hostOf(HOME_WORKSPACE)), role),
    async expectUnharmed() {
      expect(warnings).toEqual([]);
    },
  };
}

let people = 0;

async function signInAs(workspace: WorkspaceStub, role: Role) {
  people += 1;
  const email = `${role}${people}@example.com`;
  await workspace.invitePerson({ email, role }, { subject: 'admin', via: 'api' });
  const begun = await workspace.signIn(
    { subject: email, email, name: null },
    { unknown: null, atLeast: null },
    { browser: 'Firefox', place: null },
  );
  if (!begun.ok) throw new Error(begun.message);
  const claims = { workspace: HOME_WORKSPACE, ...begun.value };
  const cookie = sealedTexts(SECRET, Date.now).seal('sign-in', claims, claims.expiresAt);
  return {
    Cookie: `__Host-holdpoint-sign-in=${cookie}`,
    Origin: URL_OF_APP.replace('http', 'https'),
    'X-Holdpoint-Client': 'web',
  };
}

function makeHost(warn: HttpPorts['warn']): SessionHost {
  const refuse = () => Promise.reject(new TypeError('No address is reached from here'));
  const send = webhookSender({ fetch: refuse, allowPrivate: false });
  return new SessionHost({
    storage: memory,
    clock: systemClock,
    warn,
    send,
    sendPush: send,
    writeAnswerLink: signedAnswerLinks(SECRET).write,
    allowPrivateTargets: false,
    defaults: { timeouts: {}, forbidSelfApproval: true },
    agent: {
      model: undefined,
      allowPrivateTools: false,
      httpTools: httpTools({
        signingSecret: SECRET,
        fetch: refuse,
        now: Date.now,
        allowPrivate: false,
      }),
    },
  });
}

function portsOver(
  hosts: ReadonlyMap<string, SessionHost>,
  hostOf: (workspace: string) => SessionHost,
  { warn, login }: { readonly warn: HttpPorts['warn']; readonly login: LoginSettings | undefined },
): Omit<HttpPorts, 'mcp'> {
  const now = Date.now;
  return {
    findSession: async (workspace, id) => findLocalSession(hostOf(workspace), id),
    newSession: (workspace, id) => localSessionStub(hostOf(workspace), id),
    workspace: (name) => localWorkspaceStub(hostOf(name)),
    async findTarget(id) {
      const found = [...hosts.values()].map((host) => host.targets.find(id)).find(Boolean);
      return found && targetStub(found);
    },
    inbox: (workspace) => localInboxStub(hostOf(workspace)),
    credentials: new HmacCredentials({ signing: SECRET, admin: ADMIN_KEY }, now),
    answerLinks: signedAnswerLinks(SECRET),
    audiences: {
      get: (workspace) => localWorkspaceStub(hostOf(workspace)).audiencePolicy(),
      refresh: (workspace) => localWorkspaceStub(hostOf(workspace)).audiencePolicy(),
    },
    policy: new IsolateCache({
      fetch: (workspace) => localWorkspaceStub(hostOf(workspace)).policy(),
      now,
      warn,
    }),
    recordedWaits: new RecordedWaits(),
    members: {
      get: (workspace) => localWorkspaceStub(hostOf(workspace)).members(),
      refresh: (workspace) => localWorkspaceStub(hostOf(workspace)).members(),
    },
    login:
      login === undefined
        ? noLogin(SECRET, now)
        : loginPorts(login, { secret: SECRET, now, warn, placeOf: () => null }),
    limiter: noLimiter,
    sessionLimiter: noLimiter,
    toolSecret: (workspace) => toolSigningSecret(SECRET, workspace),
    rejectUpgrade: () => {
      throw new Error('No test upgrades a request here');
    },
    web: webFiles(bytesIn(WEB_BUNDLE)),
    reference: referenceFiles(bytesIn(REFERENCE_BUNDLE)),
    config: {
      version: 'test',
      origins: [],
      timeouts: {},
      forbidSelfApproval: true,
      agent: 'none',
    },
    now,
    freshId,
    warn,
  };
}

function bytesIn(file: string): ArrayBuffer {
  return new Uint8Array(readFileSync(file)).buffer;
}
