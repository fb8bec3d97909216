/**
 * Logins with an OpenID Connect provider: the authorization code flow with PKCE, `state` and `nonce`.
 *
 * The library checks the id token: issuer, audience, expiry, nonce and the signature, by the keys of the provider and by the
 * algorithms below.
 */
import * as oauth from 'oauth4webapi';
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { LoginProvider, LoginSecrets } from '../../http/login/ports.ts';
import { readIdentity } from './read-identity.ts';

export interface ProviderSettings {
  readonly issuer: string;
  /** What “Sign in with …” says; left out, the host of the issuer. */
  readonly name?: string;
  readonly clientId: string;
  /** Undefined: a public client, by PKCE alone. */
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  readonly subjectClaim: string;
  readonly groupsClaim: string | undefined;
  readonly trustsEmail: boolean;
}

interface ProviderPorts {
  readonly settings: ProviderSettings;
  readonly now: () => number;
  readonly warn: (message: string, evidence: unknown) => void;
}

/** With a key of the provider alone: neither `none` nor a secret that is shared. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'EdDSA',
];
/** A provider changes its addresses in weeks; its keys are fetched again when one is not known. */
const KEEP_METADATA_MS = 3_600_000;
const PROVIDER_TIMEOUT_MS = 10_000;
/** Anybody may begin a login: while the provider does not answer, each of them must not become a request to it. */
const ASK_AGAIN_AFTER_MS = 10_000;
const MAX_READS_AT_ONCE = 4;

const PROVIDER_UNREACHABLE = reject(
  'unavailable',
  'The login provider could not be reached; try again in a moment, or ask the person who runs this server',
);
const REFUSED = reject(
  'unauthenticated',
  'The login could not be verified; begin it again, and if that does not help ask the person who runs this server',
);
const LOGIN_CANCELLED = reject(
  'unauthenticated',
  'The login provider did not sign you in; you can try again',
);

/** The failure before it was logged. */
class PausedError extends Error {
  constructor() {
    super('The login provider was not asked again yet');
  }
}

export function openIdProvider({ settings, now, warn }: ProviderPorts): LoginProvider {
  const issuer = new URL(settings.issuer);
  const client: oauth.Client = { client_id: settings.clientId };
  let failedAt = Number.NEGATIVE_INFINITY;
  let reads: readonly number[] = [];
  let known: { readonly server: oauth.AuthorizationServer; readonly at: number } | undefined;

  const options = {
    signal: () => AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
  };

  async function findServer(): Promise<oauth.AuthorizationServer> {
    if (known !== undefined && now() - known.at < KEEP_METADATA_MS) return known.server;
    const isPaused = now() - failedAt < ASK_AGAIN_AFTER_MS;
    // By their times: a platform that cuts a request off runs no end of it.
    reads = reads.filter((at) => now() - at < PROVIDER_TIMEOUT_MS);
    if (isPaused || reads.length >= MAX_READS_AT_ONCE) throw new PausedError();
    reads = [...reads, now()];
    try {
      return await readServer();
    } catch (cause) {
      failedAt = now();
      throw cause;
    } finally {
      reads = [];
    }
  }

  async function readServer(): Promise<oauth.AuthorizationServer> {
    const response = await oauth.discoveryRequest(issuer, options);
    const found = await oauth.processDiscoveryResponse(issuer, response);
    const listed = found.id_token_signing_alg_values_supported ?? ['RS256'];
    const server = {
      ...found,
      id_token_signing_alg_values_supported: listed.filter((name) => ALGORITHMS.includes(name)),
    };
    known = { server, at: now() };
    return server;
  }

  const fail = (what: string, cause: unknown, rejection: Rejection): Rejection => {
    if (cause instanceof PausedError) return PROVIDER_UNREACHABLE;
    warn(what, cause);
    return rejection;
  };

  return {
    name: settings.name ?? issuer.host,
    async begin(redirectUri) {
      try {
        const server = await findServer();
        const secrets: LoginSecrets = {
          state: oauth.generateRandomState(),
          nonce: oauth.generateRandomNonce(),
          verifier: oauth.generateRandomCodeVerifier(),
        };
        const address = new URL(server.authorization_endpoint ?? '');
        const parameters = {
          client_id: settings.clientId,
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: settings.scopes,
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: 'S256',
        };
        for (const [name, value] of Object.entries(parameters)) {
          address.searchParams.set(name, value);
        }
        return { ok: true, value: { address: address.href, secrets } };
      } catch (cause) {
        return fail('The login provider could not be read', cause, PROVIDER_UNREACHABLE);
      }
    },

    async finish(callback, secrets) {
      try {
        const server = await findServer();
        const answer = oauth.validateAuthResponse(server, client, callback, secrets.state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          clientAuthentication(server, settings.clientSecret),
          answer,
          `${callback.origin}${callback.pathname}`,
          secrets.verifier,
          options,
        );
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: secrets.nonce,
          requireIdToken: true,
        });
        await oauth.validateApplicationLevelSignature(server, response, options);
        const claims = oauth.getValidatedIdTokenClaims(tokens);
        return claims === undefined ? REFUSED : readIdentity(claims, settings);
      } catch (cause) {
        const isCancelled = cause instanceof Error && cause.name === 'AuthorizationResponseError';
        return fail('A login failed', cause, isCancelled ? LOGIN_CANCELLED : REFUSED);
      }
    },

    async logoutAddress(returnTo) {
      try {
        const { end_session_endpoint: end } = await findServer();
        if (end === undefined) return undefined;
        const address = new URL(end);
        address.searchParams.set('client_id', settings.clientId);
        address.searchParams.set('post_logout_redirect_uri', returnTo);
        return address.href;
      } catch (cause) {
        // The browser is signed out here all the same.
        if (!(cause instanceof PausedError)) warn('The login provider could not be read', cause);
        return undefined;
      }
    },
  };
}

function clientAuthentication(
  { token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer,
  secret: string | undefined,
): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  const takesBasic = methods === undefined || methods.includes('client_secret_basic');
  return takesBasic ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
}
