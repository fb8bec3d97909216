/** Whether a request is a form that this page can draw. */
import type { JsonObject } from '../../../protocol/types.ts';
import type { FormRequest } from '../../../protocol/schema/kinds/form.ts';

/** Undefined for a request that is not a form of this product. */
export function readForm(request: JsonObject): FormRequest | undefined {
  const { schema } = request as { schema?: { properties?: unknown } };
  const properties = schema?.properties;
  const isOne = typeof properties === 'object' && properties !== null;
  return isOne ? (request as unknown as FormRequest) : undefined;
}
