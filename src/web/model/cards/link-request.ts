/** The link that an agent asks a person to open, read without trust. */
import { readLinkAddress } from '../../../protocol/link-address.ts';
import type { JsonObject } from '../../../protocol/types.ts';

export interface ShownLink {
  readonly href: string;
  readonly host: string;
  readonly isPunycode: boolean;
  readonly message: string;
}

/** Undefined for a request that is no link of this product, or leads where none may. */
export function readLink({ url, message }: JsonObject): ShownLink | undefined {
  if (typeof url !== 'string' || typeof message !== 'string') return undefined;
  const address = readLinkAddress(url);
  if (!address.ok) return undefined;
  const { href, host, isPunycode } = address;
  return { href, host, isPunycode, message };
}
