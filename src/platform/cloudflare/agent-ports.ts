/** The ports of built-in agents in this deployment; made once in an isolate, when the first session object needs them. */
import type { AgentPorts } from '../../session/ports.ts';
import { agentModel } from '../agent-model.ts';
import { httpTools } from '../http-tools/http-tools.ts';
import { modelSettings } from './config.ts';
import type { Env } from './env.ts';

let made: { readonly env: Env; readonly ports: AgentPorts } | undefined;

export function agentPorts(env: Env): AgentPorts {
  if (made?.env !== env) made = { env, ports: makeAgentPorts(env) };
  return made.ports;
}

function makeAgentPorts(env: Env): AgentPorts {
  const allowPrivateTools = env.HOLDPOINT_PRIVATE_TOOLS === '1';
  return {
    model: agentModel(modelSettings(env)),
    httpTools: httpTools({
      signingSecret: env.HOLDPOINT_SECRET ?? '',
      fetch: (input, init) => fetch(input, init),
      now: Date.now,
      allowPrivate: allowPrivateTools,
    }),
    allowPrivateTools,
  };
}
