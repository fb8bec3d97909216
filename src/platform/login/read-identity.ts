/** The person in the claims of a verified token. The subject is a name beside decisions, so it must be one that can be shown. */
import type { VerifiedPerson } from '../../workspace/people.ts';
import { type ReadResult, reject } from '../../protocol/errors.ts';
import { Name } from '../../protocol/schema/name.ts';
import { EmailAddress } from '../../protocol/schema/person.ts';

type VerifiedClaims = Readonly<Record<string, unknown>>;

export interface IdentityClaims {
  /** `email`, or another claim that the provider never gives to a second person. */
  readonly subjectClaim: string;
  readonly groupsClaim: string | undefined;
  /** An address without a word on whether it is verified counts as verified. */
  readonly trustsEmail: boolean;
}

const MAX_GROUPS = 1_000;
const UNVERIFIED = reject(
  'forbidden',
  'Your email address is not verified with the login provider; verify it there, and sign in again',
);
const UNKNOWN_IF_VERIFIED = reject(
  'forbidden',
  'The login provider did not say whether your email address is verified; ask the person who runs this server to read about that claim in its guide to logins',
);
const NAMELESS = reject(
  'forbidden',
  'The login provider did not say who you are; ask the person who runs this server to look at its claims',
);

export function readIdentity(
  claims: VerifiedClaims,
  { subjectClaim, groupsClaim, trustsEmail }: IdentityClaims,
): ReadResult<VerifiedPerson> {
  const verified = claims['email_verified'];
  // Where an administrator of users sets addresses, as with Microsoft Entra, one without this claim proves nothing.
  const isVerified =
    verified === true || verified === 'true' || (verified === undefined && trustsEmail);
  const address = EmailAddress.safeParse(claims['email']).data ?? null;
  const email = isVerified ? address : null;
  if (subjectClaim === 'email' && email === null) {
    if (isVerified) return NAMELESS;
    return verified === undefined ? UNKNOWN_IF_VERIFIED : UNVERIFIED;
  }
  const subject =
    subjectClaim === 'email' ? email : (Name.safeParse(claims[subjectClaim]).data ?? null);
  if (subject === null) return NAMELESS;
  const name = Name.safeParse(claims['name']).data ?? null;
  const groups = groupsClaim === undefined ? undefined : readGroups(claims[groupsClaim]);
  return { ok: true, value: { subject, email, name, groups } };
}

function readGroups(claim: unknown): string[] {
  const listed: unknown[] = Array.isArray(claim) ? claim : [claim];
  return listed.filter((name) => typeof name === 'string').slice(0, MAX_GROUPS);
}
