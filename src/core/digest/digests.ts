/**
 * Digests that bind an answer to the input that was shown.
 *
 * The input digest also covers workspace, session, interaction and tool name, each with its length, so that no two
 * different calls share a digest. The request digest covers only kind, tool name and request, so that a repeated
 * request is recognized.
 */
import type { Json, JsonObject } from '../../protocol/json.ts';
import { canonicalize } from './canonical.ts';
import { sha256Hex } from './sha256.ts';

export interface InputAddress {
  readonly workspace: string;
  readonly session: string;
  readonly interactionId: string;
  readonly toolName: string;
}

export function digestInput(at: InputAddress, input: Json): string {
  const parts = [at.workspace, at.session, at.interactionId, at.toolName];
  const prefixed = parts.map((part) => `${utf8Length(part)}:${part}`).join('');
  return sha256Hex(`holdpoint/v1\n${prefixed}${canonicalize(input)}`);
}

/** Avoids the encoder for ASCII: of all these names only that of a tool may have other characters. */
function utf8Length(text: string): number {
  return NOT_ASCII.test(text) ? utf8Encoder.encode(text).length : text.length;
}

const NOT_ASCII = /[\u0080-\uffff]/;
const utf8Encoder = new TextEncoder();

export function digestRequest(kind: string, toolName: string, request: JsonObject): string {
  return sha256Hex(canonicalize({ kind, toolName, request }));
}

/** The digest that an exact rule matches: the same input to the same tool anywhere in a session. */
export function digestRule(toolName: string, input: JsonObject): string {
  return sha256Hex(canonicalize({ toolName, input }));
}

/** Distinguishes a repeated request from a different request under the same idempotency key. */
export function hashText(text: string): string {
  return sha256Hex(text).slice(0, 32);
}
