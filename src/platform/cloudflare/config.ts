/** Reads the settings of the deployment, once in an isolate, and describes the first wrong one in one line. */
import * as z from '../../protocol/schema/zod.ts';
import type { Config } from '../../http/ports.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { Timeouts } from '../../protocol/schema/session.ts';
import { type ModelSettings, modelName } from '../agent-model.ts';
import type { Secrets } from '../hmac-credentials.ts';
import { type LoginSettings, readLoginSettings } from '../login/login-settings.ts';
import type { Env } from './env.ts';

/** A shorter secret can be guessed; `npm start` and the guide make longer ones. */
const MIN_SECRET_CHARS = 24;

const SWITCHES = [
  'HOLDPOINT_DEMO',
  'HOLDPOINT_PRIVATE_TOOLS',
  'HOLDPOINT_FORBID_SELF_APPROVAL',
  'HOLDPOINT_ACTIVITY',
] as const;

export interface Deployment {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly login: LoginSettings;
}

export type ReadDeployment =
  | { readonly ok: true; readonly value: Deployment }
  | { readonly ok: false; readonly problem: string };

const Origin = z.url({ protocol: /^https?$/ });

export function readDeployment(env: Env, version: string): ReadDeployment {
  const invalid = (problem: string): ReadDeployment => ({ ok: false, problem });
  const { HOLDPOINT_SECRET: signing = '', HOLDPOINT_ADMIN_KEY: admin = '' } = env;
  for (const [name, value] of Object.entries({
    HOLDPOINT_SECRET: signing,
    HOLDPOINT_ADMIN_KEY: admin,
  })) {
    if (value.length < MIN_SECRET_CHARS) {
      return invalid(`${name} must be set to at least ${MIN_SECRET_CHARS} random characters`);
    }
  }
  if (!/^(?!hp_)[^\s,]+$/.test(admin)) {
    return invalid('HOLDPOINT_ADMIN_KEY may not begin with hp_ or hold spaces or commas');
  }
  const timeouts = readTimeouts(env.HOLDPOINT_TIMEOUTS);
  if (timeouts === undefined) {
    return invalid('HOLDPOINT_TIMEOUTS must be JSON like {"approval": 600}, in whole seconds');
  }
  const origins = (env.HOLDPOINT_ORIGINS ?? '').split(/[\s,]+/).filter((origin) => origin !== '');
  if (!origins.every((text) => Origin.safeParse(text).success && new URL(text).origin === text)) {
    return invalid('HOLDPOINT_ORIGINS must be origins like https://chat.example.com');
  }
  const limits = readLimits(env);
  for (const [name, limit] of [
    ['HOLDPOINT_RATE_LIMIT', limits.requests],
    ['HOLDPOINT_SESSION_LIMIT', limits.sessions],
  ] as const) {
    if (!Number.isInteger(limit) || limit < 0) {
      return invalid(`${name} must be a number for each ten seconds, 0 for none`);
    }
  }
  const baseURL = env.ANTHROPIC_BASE_URL || undefined;
  if (baseURL !== undefined && !Origin.safeParse(baseURL).success) {
    return invalid('ANTHROPIC_BASE_URL must be an address like https://gateway.example.com');
  }
  for (const name of SWITCHES) {
    if (!['', '0', '1'].includes(env[name] ?? '')) return invalid(`${name} must be 1 or 0`);
  }
  const login = readLoginSettings(env);
  if (!login.ok) return login;
  const agent = modelName(modelSettings(env)) ?? 'none';
  const forbidSelfApproval = env.HOLDPOINT_FORBID_SELF_APPROVAL !== '0';
  const config = { version, origins, timeouts, forbidSelfApproval, agent };
  return { ok: true, value: { config, secrets: { signing, admin }, login: login.value } };
}

/** For each root in ten seconds; 0 is no limit. Turning off the request limit alone turns off the session limit too. */
export function readLimits(env: Env): { readonly requests: number; readonly sessions: number } {
  const requests = Number(env.HOLDPOINT_RATE_LIMIT || LIMITS.requests);
  const sessions = requests === 0 ? 0 : LIMITS.newSessions;
  return { requests, sessions: Number(env.HOLDPOINT_SESSION_LIMIT || sessions) };
}

export function modelSettings(env: Env): ModelSettings {
  return {
    apiKey: env.ANTHROPIC_API_KEY || undefined,
    baseURL: env.ANTHROPIC_BASE_URL || undefined,
    name: env.ANTHROPIC_MODEL || undefined,
    isDemo: env.HOLDPOINT_DEMO === '1',
  };
}

function readTimeouts(text = ''): z.output<typeof Timeouts> | undefined {
  // No schema is built for a deployment without them.
  if (text === '') return {};
  try {
    return Timeouts.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
