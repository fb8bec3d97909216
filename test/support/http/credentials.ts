/** Credentials of every sort for a test server, signed here with its secret, without a request. */
import type { Scope } from '../../../src/protocol/schema/actor.ts';
import { HmacCredentials } from '../../../src/platform/hmac-credentials.ts';
import type { Grant } from '../../../src/http/ports.ts';
import { ADMIN_KEY, SECRET } from './server.ts';

export const ALL_BUT_ADMIN: readonly Scope[] = ['read', 'answer', 'send', 'agent'];

const signer = new HmacCredentials({ signing: SECRET, admin: ADMIN_KEY }, Date.now);
let made = 0;

export function sign(grant: Partial<Grant> & Pick<Grant, 'scopes'>): Promise<string> {
  made += 1;
  const { kind = 'key' } = grant;
  return signer.sign({
    kind,
    id: `${kind === 'key' ? 'key' : 'tok'}_test_${made}`,
    workspace: 'main',
    subject: 'tester',
    expiresAt: null,
    mintedBy: [],
    ...grant,
  });
}

export function keyWith(...scopes: readonly Scope[]): Promise<string> {
  return sign({ scopes });
}

export function personToken(...scopes: readonly Scope[]): Promise<string> {
  return sign({ kind: 'person', scopes, expiresAt: Date.now() + 3_600_000, mintedBy: ['key_1'] });
}

export function sessionToken(session: string, ...scopes: readonly Scope[]): Promise<string> {
  const expiresAt = Date.now() + 3_600_000;
  return sign({ kind: 'session', session, scopes, expiresAt, mintedBy: ['key_1'] });
}

/** Of one session, or of the workspace with null; an administrator made it for the subject. */
export function vouchedToken(session: string | null, ...scopes: readonly Scope[]): Promise<string> {
  const claims = { scopes, expiresAt: Date.now() + 3_600_000 };
  return sign(
    session === null ? { ...claims, kind: 'person' } : { ...claims, kind: 'session', session },
  );
}

/** One character of the signature is another; the text stays a well-formed token. */
export function withAlteredSignature(token: string): string {
  const dot = token.indexOf('.');
  const letter = token[dot + 5];
  return `${token.slice(0, dot + 5)}${letter === 'A' ? 'B' : 'A'}${token.slice(dot + 6)}`;
}

/** The claims of one token under the signature of another. */
export function withAlteredClaims(token: string, change: (claims: object) => object): string {
  const [payload = '', signature] = token.slice('hp_'.length).split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  const altered = Buffer.from(JSON.stringify(change(claims))).toString('base64url');
  return `hp_${altered}.${signature}`;
}
