/** Checks the request of an opening against its kind, and digests it. The session needs the digest before it decides. */
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import type { OpenCommon } from '../../protocol/schema/interaction.ts';
import { schemaRejection } from '../../protocol/schema/rejection.ts';
import { digestRequest } from '../digest.ts';
import type { Kind, KindRegistry } from '../kinds/kind.ts';

type OpenCommand = CommandOf<'interaction.open'>;

interface ReadOpening {
  readonly kind: Kind;
  readonly request: JsonObject;
  readonly digest: string;
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
  { common, request: given }: OpenCommand,
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
  const digest = digestRequest(common.kind, common.toolName, { ...request, ...hintFields(common) });
  return { kind, request, digest };
}

/** Errors of the last try are part of the request: the same form with errors is a new request. */
export function hintFields(common: OpenCommon): JsonObject {
  return {
    ...(common.errorSummary !== undefined && { errorSummary: common.errorSummary }),
    ...(common.fieldErrors !== undefined && { fieldErrors: common.fieldErrors }),
  };
}
