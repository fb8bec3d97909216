/** What signing in needs from the platform: the login provider, the check of Access, and texts that only this service writes. */
import type { ReadResult } from '../../protocol/errors.ts';
import type { GrantedRoles, VerifiedPerson } from '../../workspace/people.ts';

/** Kept in a cookie of the browser that begins a login, so that only this browser can finish it. */
export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** An OpenID Connect provider. A provider that is out of reach or answers nonsense is a rejection with a sentence for a person. */
export interface LoginProvider {
  /** For the button, for example the host of the provider. */
  readonly name: string;
  begin(redirectUri: string): Promise<ReadResult<{ address: string; secrets: LoginSecrets }>>;
  /** `callback` is the address to which the provider sent the browser. */
  finish(callback: URL, secrets: LoginSecrets): Promise<ReadResult<VerifiedPerson>>;
  /** Where the provider signs the browser out too; undefined if it offers no such page. */
  logoutAddress(returnTo: string): Promise<string | undefined>;
}

/** Cloudflare Access in front of this deployment. */
export interface AccessCheck {
  /** Undefined: the assertion is not valid, or names no person. */
  verify(assertion: string): Promise<VerifiedPerson | undefined>;
}

export type SealPurpose = 'login' | 'sign-in' | 'invitation';

/** Texts that only this deployment can write, each for one purpose, with an expiry. */
export interface SealedTexts {
  seal(purpose: SealPurpose, claims: object, expiresAt: number): string;
  /** Undefined: it was not written here for this purpose, or has expired. */
  open(purpose: SealPurpose, text: string): unknown;
}

export interface LoginPorts {
  readonly provider: LoginProvider | undefined;
  readonly access: AccessCheck | undefined;
  /** The roles that the settings of the deployment grant to a verified person. */
  readonly rolesOf: (person: VerifiedPerson) => GrantedRoles;
  readonly seals: SealedTexts;
  /** Where a request comes from, if the platform knows that; a request cannot say it. */
  readonly placeOf: (request: Request) => string | null;
}
