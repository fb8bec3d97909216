/** Adds the MCP endpoint to the ports of an application: its tools call a second one, which has only what they need. */
import { createApp, type HttpApp } from './app.ts';
import type { Credentials, HttpPorts, McpPorts } from './ports.ts';
import { RunningCalls } from './running-calls.ts';
import { answeringRoutes } from './routes/answering.ts';
import { interactionRoutes } from './routes/interactions.ts';
import { sessionRoutes } from './routes/sessions.ts';

export function withMcp(
  ports: Omit<HttpPorts, 'mcp'>,
  mcp: Omit<McpPorts, 'api' | 'calls'>,
): HttpPorts {
  let app: HttpApp | undefined;
  const credentials = viaMcp(ports.credentials);
  const build = () =>
    createApp({ ...ports, credentials, mcp: undefined }, [
      ...sessionRoutes,
      ...interactionRoutes,
      ...answeringRoutes,
    ]);
  return {
    ...ports,
    mcp: {
      ...mcp,
      calls: new RunningCalls(),
      api(request) {
        app ??= build();
        return app.fetch(request);
      },
    },
  };
}

/** What the tools do is recorded as done over MCP. */
function viaMcp(credentials: Credentials): Credentials {
  return {
    sign: (grant) => credentials.sign(grant),
    async verify(token) {
      const identity = await credentials.verify(token);
      return identity && { ...identity, caller: { ...identity.caller, via: 'mcp' } };
    },
  };
}
