/**
 * The token of an answer link: its claims and their HMAC-SHA256, so that a check needs no storage.
 *
 * The key has a purpose of its own: no token of a person and no signature of a webhook is a link, and no link is one of
 * those. Claims are parsed although they are signed, because another version may have signed them.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from '../../protocol/schema/zod.ts';
import { decodeBase64Url, encodeBase64Url } from '../../protocol/base64.ts';
import { parseJson } from '../../protocol/json.ts';
import { LinkAnswer } from '../../protocol/schema/answer-link.ts';
import { isSameText } from '../same-text.ts';
import type { AnswerLink } from './answer-link.ts';

/** The line break keeps this apart from every text that the deployment's secret signs elsewhere. */
const LINK_PURPOSE = 'holdpoint answer links\n';
const TOKEN = /^hpl_([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

const LinkClaims = z.strictObject({
  w: z.string(),
  s: z.string(),
  n: z.string(),
  d: z.string(),
  u: z.string(),
  a: z.array(LinkAnswer).min(1),
  x: z.number(),
  i: z.string(),
  k: z.string().exactOptional(),
  r: z.string().exactOptional(),
  o: z.literal(true).exactOptional(),
  p: z.literal(true).exactOptional(),
  m: z.array(z.string()),
  t: z.string().exactOptional(),
});

export function answerLinkKey(secret: string): Uint8Array {
  return hmac(sha256, utf8ToBytes(secret), utf8ToBytes(LINK_PURPOSE));
}

export function writeLinkToken(key: Uint8Array, link: AnswerLink): string {
  const { key: makerKey, root, isAdmin, isOwn, target } = link;
  const claims: z.infer<typeof LinkClaims> = {
    w: link.workspace,
    s: link.sessionId,
    n: link.interactionId,
    d: link.inputDigest,
    u: link.subject,
    a: [...link.answers],
    x: link.expiresAt,
    i: link.credential,
    ...(makerKey !== undefined && { k: makerKey }),
    ...(root !== undefined && { r: root }),
    ...(isAdmin === true && { o: isAdmin }),
    ...(isOwn === true && { p: isOwn }),
    m: [...link.chain],
    ...(target !== undefined && { t: target }),
  };
  const payload = encodeBase64Url(utf8ToBytes(JSON.stringify(claims)));
  return `hpl_${payload}.${signLink(key, payload)}`;
}

/** Undefined: this deployment did not sign it. It may have expired or been revoked since it was signed. */
export function readLinkToken(key: Uint8Array, token: string): AnswerLink | undefined {
  const [, payload, signature] = TOKEN.exec(token) ?? [];
  if (payload === undefined || signature === undefined) return undefined;
  if (!isSameText(signLink(key, payload), signature)) return undefined;
  const bytes = decodeBase64Url(payload);
  const json = bytes && parseJson(new TextDecoder().decode(bytes));
  const claims = json?.ok === true ? LinkClaims.safeParse(json.value).data : undefined;
  if (claims === undefined) return undefined;
  const { k, r, o, p, t } = claims;
  return {
    workspace: claims.w,
    sessionId: claims.s,
    interactionId: claims.n,
    inputDigest: claims.d,
    subject: claims.u,
    answers: claims.a,
    expiresAt: claims.x,
    credential: claims.i,
    ...(k !== undefined && { key: k }),
    ...(r !== undefined && { root: r }),
    ...(o === true && { isAdmin: o }),
    ...(p === true && { isOwn: p }),
    chain: claims.m,
    ...(t !== undefined && { target: t }),
  };
}

function signLink(key: Uint8Array, payload: string): string {
  return encodeBase64Url(hmac(sha256, key, utf8ToBytes(payload)));
}
