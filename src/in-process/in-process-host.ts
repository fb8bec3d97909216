/**
 * Sessions in this process, behind the interface and the rules of a server.
 *
 * ```ts
 * const host = new InProcessHost();
 * const person = host.transport();
 * const agent = host.transport({ subject: 'deploy-bot', scopes: ['agent', 'read'] });
 * const { id } = await agent.createSession({ title: 'Deploy' });
 * ```
 *
 * A transport is the client of a server; the HTTP application in this process handles its requests. So
 * every check, rejection and response is that of a server. This room adds where sessions live
 * (`session-host.ts`) and how the application calls them (`stubs.ts`).
 */
import { HttpTransport } from '../client/http-transport.ts';
import { closedError } from '../client/errors.ts';
import { thisEnvironment } from '../client/environment.ts';
import { createApp } from '../http/app.ts';
import type { Credentials, HttpPorts, Identity } from '../http/ports.ts';
import { API_ROUTES } from '../http/routes/index.ts';
import { RecordedWaits } from '../http/streaming/recorded-waits.ts';
import { signedAnswerLinks } from '../platform/answer-links.ts';
import { freshId } from '../platform/fresh-id.ts';
import { HmacCredentials } from '../platform/hmac-credentials.ts';
import { httpTools } from '../platform/http-tools/http-tools.ts';
import { toolSigningSecret } from '../platform/http-tools/tool-signature.ts';
import { noLogin } from '../platform/login/no-login.ts';
import { nodePorts, publicFetch } from '../platform/node/public-fetch.ts';
import { noLimiter } from '../platform/rate-limit.ts';
import { webhookSender } from '../platform/webhooks/send-webhook.ts';
import { localFetch, localWebSocket } from './local-fetch.ts';
import { LocalSocket } from './local-socket.ts';
import { parseOrThrow, type InProcessOptions, type HostSettings, checkOptions } from './options.ts';
import {
  roleIdentity,
  OWNER,
  type Role,
  RoleSchema,
  tokenForRole,
  WORKSPACE_NAME,
} from './role.ts';
import { SessionHost } from './session-host.ts';
import { targetStub } from './target-host.ts';
import {
  createUpgrade,
  findLocalSession,
  localInboxStub,
  localSessionStub,
  localWorkspaceStub,
} from './stubs.ts';

/** Every request needs an address; this one leads to no network. */
const IN_PROCESS_URL = 'http://in-process';

export class InProcessHost {
  readonly #host: SessionHost;
  readonly #roles = new Map<string, Identity>();
  readonly #settings: HostSettings;
  readonly #network: Pick<ConstructorParameters<typeof HttpTransport>[0], 'fetch' | 'WebSocket'>;
  readonly #end = new AbortController();

  constructor(options: InProcessOptions = {}) {
    this.#settings = checkOptions(options);
    const { storage, model, clock, warn, secret, allowPrivateTools } = this.#settings;
    const { timeouts, forbidSelfApproval } = this.#settings;
    const fetchOutside = outgoingFetch(allowPrivateTools);
    this.#host = new SessionHost({
      storage,
      clock,
      warn,
      send: webhookSender({
        fetch: fetchOutside,
        allowPrivate: allowPrivateTools,
      }),
      sendPush: webhookSender({ fetch: outgoingFetch(false), allowPrivate: false }),
      writeAnswerLink: signedAnswerLinks(secret).write,
      allowPrivateTargets: allowPrivateTools,
      defaults: { timeouts, forbidSelfApproval },
      agent: {
        model,
        allowPrivateTools,
        httpTools: httpTools({
          signingSecret: secret,
          fetch: fetchOutside,
          now: () => clock.now(),
          allowPrivate: allowPrivateTools,
        }),
      },
    });
    const app = createApp(portsOf(this.#host, this.#roles, this.#settings), API_ROUTES);
    const answer = (request: Request) => app.fetch(request);
    this.#network = { fetch: localFetch(answer), WebSocket: localWebSocket(answer) };
  }

  /** A client of these sessions: one that may do everything, or what its role allows. */
  transport(role: Role = OWNER): HttpTransport {
    if (this.#end.signal.aborted) throw closedError();
    const identity = roleIdentity(parseOrThrow(RoleSchema, role));
    const token = tokenForRole(identity);
    this.#roles.set(token, identity);
    const { warn } = this.#host;
    return new HttpTransport({
      ...this.#network,
      url: IN_PROCESS_URL,
      token,
      signal: this.#end.signal,
      onError: (cause) => warn('A subscriber failed', cause),
      // There is no network to lose, and a hidden page may go on.
      environment: {
        ...thisEnvironment(),
        isOnline: true,
        isVisible: true,
        watch: () => () => undefined,
      },
    });
  }

  /** The secret with which HTTP tools verify calls, in the form of Standard Webhooks. */
  toolSecret(): Promise<string> {
    return toolSigningSecret(this.#settings.secret, WORKSPACE_NAME);
  }

  /** Ends every transport and every turn, and closes the storage. */
  close(): void {
    this.#end.abort();
    this.#host.close();
  }
}

/** For addresses of tools and targets. On Node, names are looked up before the call and private addresses refused. */
function outgoingFetch(
  allowPrivate: boolean,
): (url: string, init: RequestInit) => Promise<Response> {
  const ports = allowPrivate ? undefined : nodePorts();
  return ports === undefined ? (url, init) => fetch(url, init) : publicFetch(ports);
}

function portsOf(
  host: SessionHost,
  roles: ReadonlyMap<string, Identity>,
  { clock, secret, timeouts, forbidSelfApproval, model }: HostSettings,
): HttpPorts {
  const now = () => clock.now();
  const workspace = localWorkspaceStub(host);
  const inbox = localInboxStub(host);
  return {
    findSession: async (_workspace, id) => findLocalSession(host, id),
    newSession: (_workspace, id) => localSessionStub(host, id),
    workspace: () => workspace,
    async findTarget(id) {
      const target = host.targets.find(id);
      return target && targetStub(target);
    },
    inbox: () => inbox,
    credentials: credentialsOf(
      roles,
      new HmacCredentials({ signing: secret, admin: freshId() }, now),
    ),
    answerLinks: signedAnswerLinks(secret),
    // Read from the workspace itself each time: a cache in the same process would only be older.
    policy: { get: () => workspace.policy(), refresh: () => workspace.policy() },
    recordedWaits: new RecordedWaits(),
    audiences: { get: () => workspace.audiencePolicy(), refresh: () => workspace.audiencePolicy() },
    members: { get: () => workspace.members(), refresh: () => workspace.members() },
    login: noLogin(secret, now),
    limiter: noLimiter,
    sessionLimiter: noLimiter,
    toolSecret: (name) => toolSigningSecret(secret, name),
    mcp: undefined,
    rejectUpgrade({ frame, code }) {
      const socket = new LocalSocket(
        undefined,
        () => undefined,
        () => undefined,
      );
      socket.send(frame);
      socket.close(code);
      return createUpgrade(socket);
    },
    web: {
      page: notServed,
      worker: notServed,
      asset: notServed,
      picture: notServed,
      linkStyle: notServed,
    },
    reference: { document: notServed, page: notServed, style: notServed },
    config: {
      version: 'in-process',
      origins: [],
      timeouts,
      forbidSelfApproval,
      agent: model?.name ?? 'none',
    },
    now,
    freshId,
    warn: host.warn,
  };
}

/** The pages of a server are not among the routes of this application. */
function notServed(): never {
  throw new Error('Only the API is served in a process');
}

/** The roles that the program has given out, and the tokens that they have made. */
function credentialsOf(roles: ReadonlyMap<string, Identity>, signed: Credentials): Credentials {
  return {
    verify: async (token) => roles.get(token) ?? signed.verify(token),
    sign: (grant) => signed.sign(grant),
  };
}
