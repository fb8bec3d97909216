/** Inputs that request an address of the web. */
import type { WebAddress } from './display.ts';
import type { InputFields } from './input-fields.ts';

const ADDRESSES = ['url', 'uri', 'href', 'endpoint'];
/** Blanks, control characters and backslashes, which the URL standard drops or reads as something else. */
const MISREAD = /[\s\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** `URL` takes the square of the length of a host in another script. */
const WEB_AUTHORITY = /^https?:\/\/([^/?#]{1,300})(?=[/?#]|$)/i;

export function readAddress(fields: InputFields): readonly WebAddress[] | undefined {
  const text = fields.peek(...ADDRESSES);
  if (typeof text !== 'string' || MISREAD.test(text) || !WEB_AUTHORITY.test(text)) return undefined;
  const url = parse(text);
  if (url === undefined) return undefined;
  fields.take(...ADDRESSES);
  const method = fields.takeText('method');
  const { host, hostname, pathname, hash, searchParams } = url;
  return [
    {
      type: 'address',
      url: text,
      host,
      isPunycode: hostname.split('.').some((label) => label.startsWith('xn--')),
      path: decode(pathname) + decode(hash),
      query: [...searchParams],
      ...(method !== undefined && { method }),
    },
  ];
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
