/**
 * A certified OpenID Connect provider on loopback, without pages: it signs in the account that the test names, after the same
 * redirects that a browser follows.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { type ClientMetadata, type Configuration, Provider } from 'oidc-provider';

interface Account {
  readonly email: string;
  readonly emailVerified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

export interface OpenIdServer {
  readonly issuer: string;
  /** Who is signed in from now on. */
  account: Account;
}

export const CLIENT = { id: 'holdpoint', secret: 'a-secret-of-the-client' };

/** `redirectUris`: where the provider may send a browser back; read with the first request. Closed when the file ends. */
export async function startOpenIdServer(
  redirectUris: () => readonly string[],
): Promise<OpenIdServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running: OpenIdServer = { issuer, account: { email: 'ana@example.com', name: 'Ana' } };
  let provider: Provider | undefined;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    provider ??= new Provider(issuer, configuration(running, redirectUris()));
    const path = new URL(request.url ?? '/', issuer).pathname;
    if (path.startsWith('/interaction/')) {
      // Each login of a test is that of its account, whoever was signed in before.
      void provider.interactionFinished(request, response, {
        login: { accountId: JSON.stringify(running.account) },
      });
    } else provider.callback()(request, response);
  });
  afterAll(() => closeServer(server));
  return running;
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function configuration(running: OpenIdServer, redirectUris: readonly string[]): Configuration {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const client: ClientMetadata = {
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    redirect_uris: [...redirectUris],
    post_logout_redirect_uris: redirectUris.map((uri) => new URL('/', uri).href),
    id_token_signed_response_alg: 'ES256',
  };
  return {
    clients: [client],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'one' }],
    },
    cookies: { keys: ['a key of the cookies'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    // The service reads the id token alone.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => {
        const { email, emailVerified = true, name, groups } = JSON.parse(id) as Account;
        return {
          sub: id,
          email,
          email_verified: emailVerified,
          ...(name !== undefined && { name }),
          ...(groups !== undefined && { groups: [...groups] }),
        };
      },
    }),
    async loadExistingGrant(context) {
      const { oidc } = context;
      const grant = new oidc.provider.Grant({
        accountId: oidc.session?.accountId ?? running.account.email,
        clientId: CLIENT.id,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}
