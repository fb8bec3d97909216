/** Reads an opening: one flat object, whose fields beyond the common ones belong to its kind. */
import type { CommandOf } from '../protocol/schema/command.ts';
import { reject, type Rejection } from '../protocol/errors.ts';
import { schemaRejection } from '../protocol/schema/rejection.ts';
import { OpenCommonSchema } from '../protocol/schema/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';

export function openCommand(body: JsonObject): CommandOf<'interaction.open'> | Rejection {
  const common: JsonObject = {};
  const request: JsonObject = {};
  for (const [name, value] of Object.entries(body)) {
    const part = Object.hasOwn(OpenCommonSchema.shape, name) ? common : request;
    part[name] = value;
  }
  const parsed = OpenCommonSchema.safeParse(common);
  if (!parsed.success) return schemaRejection(parsed.error);
  if (parsed.data.correlate !== undefined && parsed.data.toolCallId !== undefined) {
    return reject(
      'invalid_request',
      'correlate: the call is known by its toolCallId; send one of the two',
    );
  }
  return { type: 'interaction.open', common: parsed.data, request };
}
