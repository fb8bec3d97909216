/** Answer links of one deployment: its secret signs them, under a key of their own. */
import { answerLinkKey, readLinkToken, writeLinkToken } from '../core/answer-links/link-token.ts';
import type { AnswerLinks } from '../http/ports.ts';

export function signedAnswerLinks(secret: string): AnswerLinks {
  let key: Uint8Array | undefined;
  const keyOf = () => (key ??= answerLinkKey(secret));
  return {
    write: (link) => writeLinkToken(keyOf(), link),
    read: (token) => readLinkToken(keyOf(), token),
  };
}
