/**
 * The assertion that Cloudflare Access adds to each request of a person: verified with the keys of the team.
 *
 * Anybody can send such a header to a Worker that has another address beside the one that Access guards, so nothing of
 * it counts unverified. An assertion with an unknown key makes the keys be fetched again, at most every 30 seconds,
 * and after a failure at most every ten: strangers cannot make this service call in a loop.
 *
 * A file of its own, because it is loaded with the first assertion: most isolates see none.
 */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { AccessCheck } from '../../http/login/ports.ts';
import type { VerifiedPerson } from '../../workspace/people.ts';
import { readIdentity } from './read-identity.ts';

export interface AccessSettings {
  /** `https://<team>.cloudflareaccess.com` */
  readonly issuer: string;
  /** The tag of the application. */
  readonly audience: string;
}

interface AccessCheckPorts {
  readonly settings: AccessSettings;
  readonly now: () => number;
  readonly warn: (message: string, evidence: unknown) => void;
  readonly fetch?: typeof globalThis.fetch;
}

/** What Access signs with. */
const ACCESS_ALGORITHMS = ['RS256'];
const PAUSE_AFTER_FAILURE_MS = 10_000;
const MAX_CHECKED_ASSERTIONS = 500;
const MAX_ASSERTION_CHARS = 16_384;

interface Checked {
  readonly person: VerifiedPerson;
  readonly expiresAt: number;
}

export function accessCheck({ settings, now, warn, fetch }: AccessCheckPorts): AccessCheck {
  const checked = new Map<string, Checked>();
  let keys: JWTVerifyGetKey | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  const fetchKeys = async (url: string, init: RequestInit): Promise<Response> => {
    if (now() - failedAt < PAUSE_AFTER_FAILURE_MS) throw new Error('The keys could not be fetched');
    try {
      const response = await (fetch ?? globalThis.fetch)(url, init);
      if (!response.ok) throw new Error(`The keys of Access were answered ${response.status}`);
      return response;
    } catch (cause) {
      failedAt = now();
      warn('The keys of Cloudflare Access could not be fetched', cause);
      throw cause;
    }
  };

  return {
    async verify(assertion) {
      if (assertion.length > MAX_ASSERTION_CHARS) return undefined;
      const known = checked.get(assertion);
      if (known !== undefined && known.expiresAt > now()) return known.person;
      checked.delete(assertion);
      const certs = new URL('/cdn-cgi/access/certs', settings.issuer);
      keys ??= createRemoteJWKSet(certs, { [customFetch]: fetchKeys });
      try {
        const { payload } = await jwtVerify(assertion, keys, {
          algorithms: ACCESS_ALGORITHMS,
          issuer: settings.issuer,
          audience: settings.audience,
          requiredClaims: ['exp', 'email'],
          currentDate: new Date(now()),
        });
        // A service token of Access names no person, and no address.
        const read = readIdentity(payload, {
          subjectClaim: 'email',
          groupsClaim: undefined,
          // Access itself has verified the address, and has no such claim.
          trustsEmail: true,
        });
        if (!read.ok) return undefined;
        if (checked.size >= MAX_CHECKED_ASSERTIONS) checked.clear();
        checked.set(assertion, { person: read.value, expiresAt: (payload.exp ?? 0) * 1_000 });
        return read.value;
      } catch {
        // Which of the checks failed is of use to an attacker alone; a failed fetch is in the log.
        return undefined;
      }
    },
  };
}
