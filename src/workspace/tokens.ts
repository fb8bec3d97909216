/**
 * The list of tokens: who created each token for whom, and which ones are valid.
 *
 * A token is checked by its signature alone, so its row decides nothing. The row is written before the token is
 * returned: a token in no list could not be found, and so not be revoked. Maintenance removes the rows of expired
 * tokens; the audit list keeps their creation.
 */
import * as z from 'zod';
import { Scope, type Settler } from '../protocol/schema/actor.ts';
import { readCursor, cutPage, pageSize } from '../protocol/schema/cursor.ts';
import { type Rejection, reject, type ReadResult } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { TokenView } from '../protocol/schema/workspace.ts';
import { addOwnAudit } from './audit.ts';
import { parseStoredObject } from './parse-stored.ts';
import type { PageQuery } from './ports.ts';
import type { NewToken, StoredToken, WorkspaceStore } from './store.ts';

export interface TokensPage {
  readonly tokens: readonly TokenView[];
  readonly next?: string;
}

/** The credential of an administrator has no limit: each of its tokens is a root of its own. */
export function recordToken(
  store: WorkspaceStore,
  { maker, chain, ...shown }: NewToken,
  by: Settler,
  { now, isAdmin }: { readonly now: number; readonly isAdmin: boolean },
): { ok: true } | Rejection {
  if (store.revocations.firstAt(chain) !== null) {
    return reject('unauthenticated', 'This credential was revoked');
  }
  // The id of the token itself comes first.
  if (chain.length - 1 > LIMITS.tokenLine) {
    return reject(
      'limit_reached',
      'This credential descends from too many others to create a token',
      {
        limit: 'tokenLine',
        max: LIMITS.tokenLine,
      },
    );
  }
  if (!isAdmin && store.tokens.hasAtLeast(LIMITS.tokens, maker, now)) {
    return reject('limit_reached', 'Too many tokens were created with this credential', {
      limit: 'tokens',
      max: LIMITS.tokens,
    });
  }
  const { id, expiresAt, ...entry } = shown;
  const { subject, credential = '', key = '' } = by;
  const createdBy = { subject, credential, key };
  const text = JSON.stringify({ ...entry, createdAt: now, createdBy });
  store.write(() => {
    store.tokens.add({ id, maker, expiresAt, chain, entry: text });
    addOwnAudit(store, by, {
      at: now,
      what: 'token',
      token: id,
      change: 'created',
      named: shown.subject,
      scopes: [...shown.scopes],
      ...(shown.session !== null && { sessionId: shown.session }),
    });
  });
  return { ok: true };
}

const TokenCursor = z.tuple([z.literal('tokens'), z.string()]);

/** Newest first, with revoked tokens, without expired ones. */
export function listTokens(
  store: WorkspaceStore,
  page: PageQuery,
  now: number,
): ReadResult<TokensPage> {
  const cursor = readCursor(TokenCursor, page.before);
  if (!cursor.ok) return cursor;
  const size = pageSize(page.limit);
  const found = store.tokens.list(size + 1, now, cursor.value?.[1]);
  const { rows, ...next } = cutPage(found, size, (last) => ['tokens', last.id]);
  return { ok: true, value: { tokens: rows.map((row) => viewToken(store, row)), ...next } };
}

/** Each field is read by itself: a token that cannot be read in full can still be found and revoked. */
const ReadableToken = z.object({
  subject: z.string().catch(''),
  scopes: z.array(z.unknown()).catch([]),
  session: TokenView.shape.session.catch(null),
  createdAt: z.number().catch(0),
  createdBy: TokenView.shape.createdBy.catch({ subject: '', credential: '', key: '' }),
});

export function viewToken(
  store: WorkspaceStore,
  { id, expiresAt, chain, entry }: StoredToken,
): TokenView {
  const { scopes, ...readable } = ReadableToken.parse(parseStoredObject(entry));
  return {
    id,
    ...readable,
    scopes: scopes.flatMap((scope) => Scope.safeParse(scope).data ?? []),
    expiresAt,
    revokedAt: store.revocations.firstAt(chain),
  };
}
