/**
 * Keys and tokens as signed claims: a check needs no storage and no other object.
 *
 * A token is `hp_<claims>.<signature>`, both base64url, signed with HMAC-SHA256. The administrator's key is a plain
 * secret of the deployment. It is compared by its signature, so that the duration of the comparison reveals neither its
 * length nor a matching prefix. Checked tokens are cached while they are valid: the three checks of a round trip took
 * seven percent of its time.
 */
import * as z from '../protocol/schema/zod.ts';
import { decodeBase64Url, encodeBase64Url } from '../protocol/base64.ts';
import { HOME_WORKSPACE } from '../protocol/workspaces.ts';
import { Scope } from '../protocol/schema/actor.ts';
import type { Credentials, Grant, Identity } from '../http/ports.ts';

const PREFIX = 'hp_';
const MAX_CHECKED_TOKENS = 1_000;

const GrantClaims = z.strictObject({
  k: z.enum(['key', 'session', 'person']),
  i: z.string(),
  w: z.string(),
  s: z.string().optional(),
  c: z.array(Scope),
  u: z.string(),
  x: z.number().nullable(),
  m: z.array(z.string()),
  r: z.string().optional(),
  v: z.literal('cli').optional(),
});
type GrantClaims = z.infer<typeof GrantClaims>;

type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export interface Secrets {
  readonly signing: string;
  readonly admin: string;
}

export class HmacCredentials implements Credentials {
  readonly #secrets: Secrets;
  readonly #now: () => number;
  readonly #checked = new Map<string, Identity>();
  #key: SigningKey | undefined;
  #adminSignature: ArrayBuffer | undefined;

  constructor(secrets: Secrets, now: () => number) {
    this.#secrets = secrets;
    this.#now = now;
  }

  async sign(grant: Grant): Promise<string> {
    const claims: GrantClaims = {
      k: grant.kind,
      i: grant.id,
      w: grant.workspace,
      ...(grant.session !== undefined && { s: grant.session }),
      c: [...grant.scopes],
      u: grant.subject,
      x: grant.expiresAt,
      m: [...grant.mintedBy],
      ...(grant.root !== undefined && { r: grant.root }),
      ...(grant.client !== undefined && { v: grant.client }),
    };
    const payload = encodeBase64Url(encode(JSON.stringify(claims)));
    const signature = await crypto.subtle.sign('HMAC', await this.#signingKey(), encode(payload));
    return `${PREFIX}${payload}.${encodeBase64Url(new Uint8Array(signature))}`;
  }

  verify(token: string): Identity | undefined | Promise<Identity | undefined> {
    const known = this.#checked.get(token);
    if (known === undefined) return this.#verifyNew(token);
    if (!this.#hasExpired(known)) return known;
    this.#checked.delete(token);
    return undefined;
  }

  async #verifyNew(token: string): Promise<Identity | undefined> {
    const identity = await this.#check(token);
    if (identity === undefined || this.#hasExpired(identity)) return undefined;
    this.#remember(token, identity);
    return identity;
  }

  #hasExpired({ expiresAt }: Identity): boolean {
    return expiresAt !== null && expiresAt <= this.#now();
  }

  async #check(token: string): Promise<Identity | undefined> {
    if (!token.startsWith(PREFIX)) {
      return (await this.#isAdminKey(token)) ? ADMIN : undefined;
    }
    const [payload, signature, more] = token.slice(PREFIX.length).split('.');
    if (!payload || !signature || more !== undefined) return undefined;
    const bytes = decodeBase64Url(signature);
    if (bytes === undefined) return undefined;
    const key = await this.#signingKey();
    if (!(await crypto.subtle.verify('HMAC', key, bytes, encode(payload)))) return undefined;
    return identityFrom(payload);
  }

  async #isAdminKey(token: string): Promise<boolean> {
    const key = await this.#signingKey();
    this.#adminSignature ??= await crypto.subtle.sign('HMAC', key, encode(this.#secrets.admin));
    return crypto.subtle.verify('HMAC', key, this.#adminSignature, encode(token));
  }

  #remember(token: string, identity: Identity): void {
    if (this.#checked.size >= MAX_CHECKED_TOKENS) this.#checked.clear();
    this.#checked.set(token, identity);
  }

  async #signingKey(): Promise<SigningKey> {
    this.#key ??= await crypto.subtle.importKey(
      'raw',
      encode(this.#secrets.signing),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign', 'verify'],
    );
    return this.#key;
  }
}

/** The id of the administrator's key, which has none in its text. */
const ADMIN_KEY = 'admin';

const ADMIN: Identity = {
  caller: {
    credential: ADMIN_KEY,
    subject: 'admin',
    via: 'api',
    scopes: ['admin'],
    key: ADMIN_KEY,
  },
  workspace: HOME_WORKSPACE,
  session: null,
  expiresAt: null,
  chain: [],
};

/** A valid signature makes the claims ours; they are parsed all the same, because another version may have signed them. */
function identityFrom(payload: string): Identity | undefined {
  const bytes = decodeBase64Url(payload);
  if (bytes === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  const parsed = GrantClaims.safeParse(json);
  if (!parsed.success) return undefined;
  const { k, i, w, s, c, u, x, m, r, v = 'web' } = parsed.data;
  const isKey = k === 'key';
  // The administrator's key is in no chain: it cannot be revoked.
  const key = m.at(-1) ?? (isKey ? i : ADMIN_KEY);
  const root = r ?? m.at(-1) ?? i;
  return {
    caller: { credential: i, subject: u, via: isKey ? 'api' : v, scopes: c, key, root },
    workspace: w,
    session: s ?? null,
    expiresAt: x,
    chain: [i, ...m],
  };
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}
