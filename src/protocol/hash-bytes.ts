/** SHA-256 by the platform, as lower-case hexadecimal. */
export async function hashBytes(
  bytes: Parameters<typeof crypto.subtle.digest>[1],
): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
