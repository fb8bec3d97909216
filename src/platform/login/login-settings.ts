/** Reads how people sign in from the settings of the deployment, and makes the ports of it. */
import * as z from '../../protocol/schema/zod.ts';
import type { AccessCheck, LoginPorts, LoginProvider } from '../../http/login/ports.ts';
import { isLoopbackHost } from '../../protocol/loopback.ts';
import { Name } from '../../protocol/schema/name.ts';
import { EmailAddress, Role } from '../../protocol/schema/person.ts';
import type { GrantedRoles, VerifiedPerson } from '../../workspace/people.ts';
import { loadLater } from '../load-later.ts';
import type { AccessSettings } from './access-check.ts';
import type { ProviderSettings } from './open-id-provider.ts';
import { sealedTexts } from './sealed-texts.ts';

export interface LoginEnv {
  readonly HOLDPOINT_OIDC_ISSUER?: string;
  readonly HOLDPOINT_OIDC_NAME?: string;
  readonly HOLDPOINT_OIDC_CLIENT_ID?: string;
  readonly HOLDPOINT_OIDC_CLIENT_SECRET?: string;
  readonly HOLDPOINT_OIDC_SCOPES?: string;
  readonly HOLDPOINT_OIDC_SUBJECT_CLAIM?: string;
  readonly HOLDPOINT_OIDC_GROUPS_CLAIM?: string;
  readonly HOLDPOINT_OIDC_TRUST_EMAIL?: string;
  readonly HOLDPOINT_ACCESS_TEAM?: string;
  readonly HOLDPOINT_ACCESS_AUD?: string;
  readonly HOLDPOINT_LOGIN_DOMAINS?: string;
  readonly HOLDPOINT_LOGIN_ROLE?: string;
  readonly HOLDPOINT_ADMINS?: string;
}

export interface LoginSettings {
  readonly provider: ProviderSettings | undefined;
  readonly access: AccessSettings | undefined;
  /** Unknown people with a verified address of these domains get `role`. */
  readonly domains: readonly string[];
  readonly role: Role | null;
  readonly admins: readonly string[];
}

type ReadLogin =
  | { readonly ok: true; readonly value: LoginSettings }
  | { readonly ok: false; readonly problem: string };

const DEFAULT_SCOPES = 'openid email profile';
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const TEAM_NAME = /^[a-z0-9-]+$/;
const HttpAddress = z.url({ protocol: /^https?$/ });

export function readLoginSettings(env: LoginEnv): ReadLogin {
  const invalid = (problem: string): ReadLogin => ({ ok: false, problem });
  const { HOLDPOINT_OIDC_ISSUER: issuer, HOLDPOINT_OIDC_CLIENT_ID: clientId } = env;
  if (issuer && !isTrusted(issuer)) {
    return invalid('HOLDPOINT_OIDC_ISSUER must be an https address, as the provider writes it');
  }
  if (Boolean(issuer) !== Boolean(clientId)) {
    return invalid('HOLDPOINT_OIDC_ISSUER and HOLDPOINT_OIDC_CLIENT_ID must be set together');
  }
  const name = Name.optional().safeParse(env.HOLDPOINT_OIDC_NAME || undefined);
  if (!name.success) {
    return invalid('HOLDPOINT_OIDC_NAME must be a short name that can be shown, like "Acme"');
  }
  const scopes = env.HOLDPOINT_OIDC_SCOPES || DEFAULT_SCOPES;
  if (!scopes.split(' ').includes('openid')) {
    return invalid('HOLDPOINT_OIDC_SCOPES must have openid among its words');
  }
  const { HOLDPOINT_OIDC_TRUST_EMAIL: trust = '' } = env;
  if (!['', '0', '1'].includes(trust)) {
    return invalid('HOLDPOINT_OIDC_TRUST_EMAIL must be 1, or 0 or nothing');
  }
  const { HOLDPOINT_ACCESS_TEAM: team, HOLDPOINT_ACCESS_AUD: audience } = env;
  if (Boolean(team) !== Boolean(audience)) {
    return invalid('HOLDPOINT_ACCESS_TEAM and HOLDPOINT_ACCESS_AUD must be set together');
  }
  const accessIssuer =
    team && (TEAM_NAME.test(team) ? `https://${team}.cloudflareaccess.com` : team);
  if (accessIssuer && !isTrusted(accessIssuer)) {
    return invalid('HOLDPOINT_ACCESS_TEAM must be the name of the team, like "acme"');
  }
  const domains = listOf(env.HOLDPOINT_LOGIN_DOMAINS);
  if (!domains.every((domain) => DOMAIN.test(domain))) {
    return invalid('HOLDPOINT_LOGIN_DOMAINS must be domains like example.com');
  }
  const role = Role.safeParse(env.HOLDPOINT_LOGIN_ROLE || 'viewer');
  if (!role.success) return invalid('HOLDPOINT_LOGIN_ROLE must be viewer, answerer or admin');
  if (env.HOLDPOINT_LOGIN_ROLE && domains.length === 0) {
    return invalid('HOLDPOINT_LOGIN_ROLE needs HOLDPOINT_LOGIN_DOMAINS: it is for their people');
  }
  const admins = listOf(env.HOLDPOINT_ADMINS);
  if (!admins.every((address) => EmailAddress.safeParse(address).success)) {
    return invalid('HOLDPOINT_ADMINS must be addresses like ana@example.com');
  }
  const provider =
    issuer && clientId
      ? {
          issuer,
          ...(name.data !== undefined && { name: name.data }),
          clientId,
          clientSecret: env.HOLDPOINT_OIDC_CLIENT_SECRET || undefined,
          scopes,
          subjectClaim: env.HOLDPOINT_OIDC_SUBJECT_CLAIM || 'email',
          groupsClaim: env.HOLDPOINT_OIDC_GROUPS_CLAIM || undefined,
          trustsEmail: trust === '1',
        }
      : undefined;
  const access = accessIssuer && audience ? { issuer: accessIssuer, audience } : undefined;
  return {
    ok: true,
    value: { provider, access, domains, role: domains.length > 0 ? role.data : null, admins },
  };
}

/** Over plain HTTP another machine could answer as the provider; a request to this machine passes no other. */
function isTrusted(address: string): boolean {
  if (!HttpAddress.safeParse(address).success) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopbackHost(hostname);
}

function listOf(text = ''): string[] {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((part) => part !== '');
}

interface LoginEnvironment extends Pick<LoginPorts, 'placeOf'> {
  readonly secret: string;
  readonly now: () => number;
  readonly warn: (message: string, evidence: unknown) => void;
}

export function loginPorts(
  settings: LoginSettings,
  { secret, now, warn, placeOf }: LoginEnvironment,
): LoginPorts {
  const { provider, access } = settings;
  return {
    provider: provider && laterProvider({ settings: provider, now, warn }),
    access: access && laterAccess({ settings: access, now, warn }),
    rolesOf: (person) => rolesOf(settings, person),
    seals: sealedTexts(secret, now),
    placeOf,
  };
}

type Watch = Pick<LoginEnvironment, 'now' | 'warn'>;

/** The libraries of login are code that few isolates run. */
function laterProvider(ports: Watch & { readonly settings: ProviderSettings }): LoginProvider {
  const load = loadLater(async () => {
    const { openIdProvider } = await import('./open-id-provider.ts');
    return openIdProvider(ports);
  });
  return {
    name: new URL(ports.settings.issuer).host,
    begin: async (redirectUri) => (await load()).begin(redirectUri),
    finish: async (callback, secrets) => (await load()).finish(callback, secrets),
    logoutAddress: async (returnTo) => (await load()).logoutAddress(returnTo),
  };
}

function laterAccess(ports: Watch & { readonly settings: AccessSettings }): AccessCheck {
  const load = loadLater(async () => {
    const { accessCheck } = await import('./access-check.ts');
    return accessCheck(ports);
  });
  return { verify: async (assertion) => (await load()).verify(assertion) };
}

/** By the verified address alone. */
function rolesOf(
  { domains, role, admins }: LoginSettings,
  { email }: VerifiedPerson,
): GrantedRoles {
  if (email === null) return { unknown: null, atLeast: null };
  const domain = email.slice(email.lastIndexOf('@') + 1);
  return {
    unknown: domains.includes(domain) ? role : null,
    atLeast: admins.includes(email) ? 'admin' : null,
  };
}
