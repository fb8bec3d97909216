/** Wiring: builds the ports once per isolate, and exports the Worker and its objects. */
import chat from '../dist-web/chat.bundle';
import reference from '../dist-web/reference.bundle';
import { version } from '../package.json';
import { createApp, type HttpApp } from './http/app.ts';
import { withMcp } from './http/with-mcp.ts';
import type { HttpPorts } from './http/ports.ts';
import { rejectionResponse } from './http/rejection-response.ts';
import { RecordedWaits } from './http/streaming/recorded-waits.ts';
import { signedAnswerLinks } from './platform/answer-links.ts';
import { audienceCache } from './platform/cloudflare/audience-cache.ts';
import { type Deployment, readDeployment } from './platform/cloudflare/config.ts';
import type { Env } from './platform/cloudflare/env.ts';
import { placeOf } from './platform/cloudflare/place.ts';
import { rejectUpgrade } from './platform/cloudflare/upgrade.ts';
import { requestLimiters } from './platform/cloudflare/rate-limits.ts';
import * as stubs from './platform/cloudflare/stubs.ts';
import { warn } from './platform/cloudflare/log.ts';
import { freshId } from './platform/fresh-id.ts';
import { HmacCredentials } from './platform/hmac-credentials.ts';
import { toolSigningSecret } from './platform/http-tools/tool-signature.ts';
import { IsolateCache } from './platform/isolate-cache.ts';
import { KeyUses } from './platform/key-uses.ts';
import { loginPorts } from './platform/login/login-settings.ts';
import { mcpStateKey } from './platform/mcp-state-key.ts';
import { referenceFiles, webFiles } from './platform/web-files.ts';
import { reject } from './protocol/errors.ts';

export { SessionObject } from './platform/cloudflare/session-object.ts';
export { TargetObject } from './platform/cloudflare/target-object.ts';
export { WorkspaceObject } from './platform/cloudflare/workspace-object.ts';

let app: HttpApp | undefined;

function build(env: Env, { config, secrets, login }: Deployment): HttpApp {
  const now = () => Date.now();
  const keyUses = new KeyUses(now);
  const sessions = new stubs.StartedObjects(env.SESSION, env.SESSION_FILES);
  const targets = new stubs.StartedObjects(env.TARGET, env.TARGET_FILES);
  const ports: Omit<HttpPorts, 'mcp'> = {
    findSession: (workspace, id) => stubs.findSession(env, sessions, workspace, id),
    findTarget: (id) => stubs.findTarget(env, targets, id),
    newSession: (workspace, id) => stubs.newSessionStub(env, sessions, workspace, id),
    workspace: (name) => stubs.workspaceStub(env, name),
    inbox: (workspace) => stubs.inboxStub(env, workspace),
    credentials: keyUses.watch(new HmacCredentials(secrets, now)),
    answerLinks: signedAnswerLinks(secrets.signing),
    audiences: audienceCache(env),
    policy: new IsolateCache({
      fetch: (workspace) => keyUses.exchange(workspace, stubs.workspaceStub(env, workspace)),
      now,
      warn,
    }),
    recordedWaits: new RecordedWaits(),
    members: new IsolateCache({
      fetch: (workspace) => stubs.workspaceStub(env, workspace).members(),
      now,
      warn,
    }),
    login: loginPorts(login, { secret: secrets.signing, now, warn, placeOf }),
    rejectUpgrade,
    ...requestLimiters(env),
    toolSecret: (workspace) => toolSigningSecret(secrets.signing, workspace),
    web: webFiles(chat),
    reference: referenceFiles(reference),
    config,
    now,
    freshId,
    warn,
  };
  return createApp(
    withMcp(ports, {
      stateKey: (workspace) => mcpStateKey(secrets.signing, workspace),
      // Most isolates serve no MCP client, and start faster without its code.
      async serve(request, body, host) {
        const { serveMcpRequest } = await import('./integrations/mcp/serve-http.ts');
        return serveMcpRequest({ request, body, host, info: { version: config.version } });
      },
    }),
  );
}

/** Without its secrets the Worker cannot verify credentials, so it serves nothing. */
function notConfigured(problem: string): Response {
  const requestId = freshId();
  console.error(`Holdpoint does not serve: ${problem} (request ${requestId})`);
  const message = 'This deployment is not configured; its log says what is missing';
  return rejectionResponse(reject('not_configured', message), requestId);
}

export default {
  fetch(request, env, ctx): Response | Promise<Response> {
    if (app === undefined) {
      const deployment = readDeployment(env, version);
      if (!deployment.ok) return notConfigured(deployment.problem);
      app = build(env, deployment.value);
    }
    return app.fetch(request, (work) => ctx.waitUntil(work));
  },
} satisfies ExportedHandler<Env>;
