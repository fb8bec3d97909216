/** Answer links of one deployment: its secret signs them, under a key of their own. */
import { answerLinkKey, readLinkToken, writeLinkToken } from '../core/answer-links/link-token.ts';
import type { AnswerLinks } from '../http/ports.ts';

export function signedAnswerLinks(secret: string): AnswerLinks {
  const key = answerLinkKey(secret);
  return {
    write: (link) => writeLinkToken(key, link),
    read: (token) => readLinkToken(key, token),
  };
}
