/** A key nobody else makes. `crypto.randomUUID` is missing on pages that were not loaded over https. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
