/** Whether a request is a form; apart from `form-fields.ts`, because the first load needs only this. */
import type { FormRequest } from '../../../protocol/schema/kinds/form.ts';
import type { JsonObject } from '../../../protocol/types.ts';

/** Undefined for a request that is not a form of this product. */
export function readForm(request: JsonObject): FormRequest | undefined {
  const { schema } = request as { schema?: { properties?: unknown } };
  const properties = schema?.properties;
  const isOne = typeof properties === 'object' && properties !== null;
  return isOne ? (request as unknown as FormRequest) : undefined;
}
