import { isObject } from '../../protocol/guards.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';

/** The whole input of an approval; undefined where the record has only a view of it, and for other kinds. */
export function readApprovalInput({
  kind,
  request,
  wholeInput,
}: Pick<Interaction, 'kind' | 'request' | 'wholeInput'>): JsonObject | undefined {
  const { input } = request;
  return kind === 'approval' && wholeInput === undefined && isObject(input) ? input : undefined;
}
