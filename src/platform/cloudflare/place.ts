/** Where a request comes from, as the platform knows it; plain workerd does not. */
export function placeOf(request: Request): string | null {
  const { cf } = request as {
    readonly cf?: { readonly city?: unknown; readonly country?: unknown };
  };
  const parts = [cf?.city, cf?.country].filter((part) => typeof part === 'string');
  return parts.length === 0 ? null : parts.join(', ').slice(0, MAX_PLACE_CHARS);
}

const MAX_PLACE_CHARS = 100;
