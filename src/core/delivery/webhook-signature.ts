/**
 * Signatures of Standard Webhooks, made and verified: HMAC-SHA256 of `id.timestamp.body` under a secret of the target.
 *
 * Both directions use the same secret. A signature of an outgoing message covers no answer, because an answer is another
 * text; its id is another one too, which the target accepts once.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeBase64, encodeBase64Url } from '../../protocol/base64.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { isSameText } from '../same-text.ts';

export interface TargetSecret {
  /** `whsec_` and base64. */
  readonly text: string;
  /** The time of its end after a rotation; null: the present one. */
  readonly until: number | null;
}

/** The headers as they arrived; null where one is missing. */
export interface SignedMessage {
  readonly id: string | null;
  readonly timestamp: string | null;
  readonly signature: string | null;
  /** The exact text that was signed. */
  readonly body: string;
}

const SECRET_PREFIX = 'whsec_';
const KEY_PREFIX = 'whkey_';
/** No dot: it separates the signed parts. */
const MESSAGE_ID = /^[A-Za-z0-9_:-]{1,128}$/;
const TIMESTAMP = /^[1-9]\d{0,11}$/;
/** A header that was sent twice arrives joined by a comma and a blank, which no signature holds. */
const SIGNATURES = /^v[0-9a-z]{1,4},[A-Za-z0-9+/=_-]+( v[0-9a-z]{1,4},[A-Za-z0-9+/=_-]+){0,7}$/;

export function secretText(bytes: Uint8Array): string {
  return `${SECRET_PREFIX}${encodeBase64(bytes)}`;
}

/** One signature for each secret that is in force, the newest first. */
export function signMessage(
  secrets: readonly TargetSecret[],
  message: { readonly id: string; readonly seconds: number; readonly body: string },
  now: number,
): string {
  const { id, seconds, body } = message;
  const text = `${id}.${seconds}.${body}`;
  return inForce(secrets, now)
    .map((secret) => `v1,${sign(secret, text)}`)
    .join(' ');
}

/** The problem with the message; undefined if the holder of a secret signed it less than five minutes ago. */
export function messageProblem(
  secrets: readonly TargetSecret[],
  { id, timestamp, signature, body }: SignedMessage,
  now: number,
): string | undefined {
  if (id === null || !MESSAGE_ID.test(id)) return 'The header webhook-id is missing or malformed';
  if (timestamp === null || !TIMESTAMP.test(timestamp)) {
    return 'The header webhook-timestamp is missing or malformed';
  }
  if (signature === null || !SIGNATURES.test(signature)) {
    return 'The header webhook-signature is missing or malformed';
  }
  if (Math.abs(now - Number(timestamp) * 1_000) > LIMITS.messageAgeMs) {
    return 'The message is too old, or of the future';
  }
  const given = signature.split(' ');
  const text = `${id}.${timestamp}.${body}`;
  const isSigned = inForce(secrets, now).some((secret) => {
    const expected = `v1,${sign(secret, text)}`;
    return given.some((one) => isSameText(one, expected));
  });
  return isSigned ? undefined : 'The signature is not one of this target';
}

/** The key with which a receiver may answer in place of a signature. It does not reveal the secret, and ends with it. */
export function answerKey(secret: string): string {
  const mac = hmac(sha256, keyBytes(secret), utf8ToBytes('holdpoint answer key'));
  return `${KEY_PREFIX}${encodeBase64Url(mac)}`;
}

export function isAnswerKey(secrets: readonly TargetSecret[], key: string, now: number): boolean {
  return inForce(secrets, now).some((secret) => isSameText(key, answerKey(secret)));
}

function inForce(secrets: readonly TargetSecret[], now: number): string[] {
  return secrets.filter(({ until }) => until === null || until > now).map(({ text }) => text);
}

function sign(secret: string, text: string): string {
  return encodeBase64(hmac(sha256, keyBytes(secret), utf8ToBytes(text)));
}

function keyBytes(secret: string): Uint8Array {
  const binary = atob(secret.slice(SECRET_PREFIX.length));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
