/**
 * Digests that bind an answer to what was shown.
 *
 * The input digest covers workspace, session, interaction and tool name, each with its length, so
 * that no two different calls share one; the request digest covers only what is asked, so that the
 * same call asked again is recognized.
 */
import type { Json, JsonObject } from '../../protocol/json.ts';
import { canonical } from './canonical.ts';
import { sha256Hex } from './sha256.ts';

export interface InputAddress {
  readonly workspace: string;
  readonly session: string;
  readonly interactionId: string;
  readonly toolName: string;
}

export function inputDigest(at: InputAddress, input: Json): string {
  const parts = [at.workspace, at.session, at.interactionId, at.toolName];
  const prefixed = parts.map((part) => `${utf8Length(part)}:${part}`).join('');
  return sha256Hex(`holdpoint/v1\n${prefixed}${canonical(input)}`);
}

/** Names are ASCII but for those of tools, which may be anything. */
function utf8Length(text: string): number {
  return NOT_ASCII.test(text) ? utf8.encode(text).length : text.length;
}

const NOT_ASCII = /[\u0080-\uffff]/;
const utf8 = new TextEncoder();

export function requestDigest(kind: string, toolName: string, request: JsonObject): string {
  return sha256Hex(canonical({ kind, toolName, request }));
}

/** The same input to the same tool anywhere in a session: what an exact rule matches. */
export function ruleDigest(toolName: string, input: JsonObject): string {
  return sha256Hex(canonical({ toolName, input }));
}

/** Tells a repeated request from another one under the same idempotency key. */
export function textHash(text: string): string {
  return sha256Hex(text).slice(0, 32);
}
