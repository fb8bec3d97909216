/**
 * Texts that only this deployment can write: cookies and invitations, as their claims and an HMAC-SHA256.
 *
 * Each purpose has a key of its own: a cookie is no invitation, and neither is a token or an answer link. They can be read by
 * their holder, so nothing in them is a secret from the holder.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { isSameText } from '../../core/same-text.ts';
import type { SealPurpose, SealedTexts } from '../../http/login/ports.ts';
import { decodeBase64Url, encodeBase64Url } from '../../protocol/base64.ts';

const SEALED = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/;

export function sealedTexts(secret: string, now: () => number): SealedTexts {
  const root = utf8ToBytes(secret);
  const sign = (purpose: SealPurpose, payload: string) => {
    // The line break keeps this apart from every text that the secret signs elsewhere.
    const key = hmac(sha256, root, utf8ToBytes(`holdpoint ${purpose}\n`));
    return encodeBase64Url(hmac(sha256, key, utf8ToBytes(payload)));
  };
  return {
    seal(purpose, claims, expiresAt) {
      const payload = encodeBase64Url(utf8ToBytes(JSON.stringify({ expiresAt, claims })));
      return `${payload}.${sign(purpose, payload)}`;
    },
    open(purpose, text) {
      const [, payload, signature] = SEALED.exec(text) ?? [];
      if (payload === undefined || signature === undefined) return undefined;
      if (!isSameText(sign(purpose, payload), signature)) return undefined;
      const bytes = decodeBase64Url(payload);
      if (bytes === undefined) return undefined;
      // The signature makes the text ours, and so JSON.
      const { expiresAt, claims } = JSON.parse(new TextDecoder().decode(bytes)) as {
        readonly expiresAt: number;
        readonly claims: unknown;
      };
      return expiresAt > now() ? claims : undefined;
    },
  };
}
