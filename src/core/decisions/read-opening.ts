/** Checks the request of an opening against its kind, and digests it. The session needs the digest before it decides. */
import { fitsInBytes } from '../../protocol/bytes.ts';
import { canonicalize } from '../../protocol/canonical-json.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import type { OpenCommon } from '../../protocol/schema/interaction.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { schemaRejection } from '../../protocol/schema/rejection.ts';
import { digestRequest, sha256Hex, writeRequest } from '../digest.ts';
import type { Kind, KindRegistry } from '../kinds/kind.ts';
import { type HeldInput, holdInput, holdText } from '../whole-input.ts';

export type OpenCommand = CommandOf<'interaction.open'>;

export interface ReadOpening {
  readonly kind: Kind;
  /** As it is stored and shown. */
  readonly request: JsonObject;
  /** The exact input. */
  readonly input: JsonObject;
  readonly digest: string;
  /** The input is too large for the record. */
  readonly held?: HeldInput;
}

/** A request is checked and hashed once: both take time in proportion to its size. */
const READ = new WeakMap<
  OpenCommand,
  { readonly kinds: KindRegistry; readonly read: ReadOpening | Rejection }
>();

export function readOpening(command: OpenCommand, kinds: KindRegistry): ReadOpening | Rejection {
  const known = READ.get(command);
  if (known?.kinds === kinds) return known.read;
  const read = checkOpening(command, kinds);
  READ.set(command, { kinds, read });
  return read;
}

function checkOpening(
  { common, request: given, mayHold = false, inputText }: OpenCommand,
  kinds: KindRegistry,
): ReadOpening | Rejection {
  const kind = kinds.get(common.kind);
  if (kind === undefined) {
    const known = [...kinds.keys()];
    return reject('unknown_kind', `There is no kind "${common.kind}"`, { kinds: known });
  }
  const parsed = kind.request.safeParse(given);
  if (!parsed.success) return schemaRejection(parsed.error);
  const request = kind.complete(parsed.data);
  const problem = kind.problem?.(request);
  if (problem !== undefined) return reject('invalid_request', problem);
  const { kind: name, toolName, quorum } = common;
  if (quorum !== undefined && !kind.allowsQuorum) {
    return reject('invalid_request', `quorum: one person answers a ${name}`);
  }
  const input = kind.input(request);
  const asked = { ...request, ...hintFields(common), ...demandFields(common) };
  const text = writeRequest(name, toolName, asked);
  const fits = !mayHold || fitsInBytes(text, LIMITS.bodyBytes);
  if (inputText === undefined && fits) {
    return { kind, request, input, digest: sha256Hex(text) };
  }
  if (kind.withView === undefined) {
    return fits ? NO_TEXT_INPUT : tooLarge(`A request of the kind ${name}`);
  }
  const held = inputText === undefined ? holdInput(input) : holdText(inputText);
  if (held.fact.bytes > LIMITS.wholeInputBytes) return tooLarge('An input', LIMITS.wholeInputBytes);
  const rest = { ...asked, ...kind.withView(asked, {}) };
  if (!fitsInBytes(canonicalize(rest), LIMITS.bodyBytes)) {
    return tooLarge('A request without its input');
  }
  const { bytes, sha256 } = held.fact;
  return {
    kind,
    request: kind.withView(request, held.view),
    input,
    // In the place of the input stands a field that no request can have.
    digest: digestRequest(name, toolName, { ...rest, wholeInput: { bytes, sha256 } }),
    held,
  };
}

const NO_TEXT_INPUT = reject('invalid_request', 'input: Unknown field');

function tooLarge(what: string, maxBytes: number = LIMITS.bodyBytes): Rejection {
  return reject('too_large', `${what} may have ${maxBytes} bytes`, { maxBytes });
}

/** Errors of the last try are part of the request: the same form with errors is a new request. */
export function hintFields(common: OpenCommon): JsonObject {
  return {
    ...(common.errorSummary !== undefined && { errorSummary: common.errorSummary }),
    ...(common.fieldErrors !== undefined && { fieldErrors: common.fieldErrors }),
  };
}

/** Another number of people who must approve is another request: an agent must not get by with the smaller one. */
function demandFields({ quorum, notRequester }: OpenCommon): JsonObject {
  return {
    ...(quorum !== undefined && { quorum }),
    ...(notRequester !== undefined && { notRequester }),
  };
}
