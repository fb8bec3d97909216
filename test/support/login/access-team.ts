/** A team of Cloudflare Access on loopback: its key set, and the assertions that it would add to each request of a person. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface AccessTeam {
  readonly issuer: string;
  /** The tag of its one application. */
  readonly audience: string;
  assertionFor(email: string, more?: AssertionChange): Promise<string>;
  close(): Promise<void>;
}

interface AssertionChange {
  readonly audience?: string;
  /** Signed by a key that the team does not have. */
  readonly isForged?: boolean;
}

const KEY_ID = 'one';

export async function startAccessTeam(): Promise<AccessTeam> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const foreign = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const server: Server = createServer((request, response) => {
    const isKnown = request.url === '/cdn-cgi/access/certs';
    response.writeHead(isKnown ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isKnown ? { keys: [jwk] } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const audience = 'a'.repeat(64);
  return {
    issuer,
    audience,
    assertionFor: (email, { audience: tag = audience, isForged = false } = {}) =>
      new SignJWT({ email })
        .setProtectedHeader({ alg: 'RS256', kid: KEY_ID })
        .setIssuer(issuer)
        .setAudience(tag)
        .setSubject(email)
        .setIssuedAt()
        .setExpirationTime('10m')
        .sign(isForged ? foreign.privateKey : privateKey),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
