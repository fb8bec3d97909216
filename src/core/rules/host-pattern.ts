/**
 * Rules by the host of an address: `api.example.org`, or `*.example.org` for every name below it.
 *
 * A host is allowed only where an address has one reading: `http` or `https`, a name in ASCII that is no IP address in any
 * spelling, the usual port, no user. To deny or to ask, the address is read as a browser reads it. Where a fetched page
 * redirects to cannot be seen from here.
 */
import type { Json } from '../../protocol/json.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { MAX_AUTHORITY_CHARS } from '../../protocol/link-address.ts';
import type { Finding } from './match-rule.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = new RegExp(`^(?:${LABEL}\\.)+${LABEL}$`);
/** A last part of digits, or of a number in hexadecimal, makes a browser read an IP address. */
const NUMERIC_END = /\.(?:\d+|0x[0-9a-f]*)$/;
const PLAIN_ADDRESS = /^(https?):\/\/([a-z0-9.-]{1,253})(:\d{1,5})?(?=[/?#]|$)[\x21-\x7e]*$/i;
/** Whatever may stand before the path. */
const BEFORE_PATH = /^[a-z0-9+.-]*:[/\\\s]*[^/?#\\]*/i;
const USUAL_PORTS: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/** Why no rule can have this host; undefined for a good one. */
export function hostProblem(host: string): string | undefined {
  const name = host.startsWith('*.') ? host.slice(2) : host;
  return isPlainHost(name)
    ? undefined
    : 'Use a host such as api.example.org or *.example.org: small letters, no address, no port';
}

/** For allowing: the address is plain, and its host is covered. */
export function coversHost(pattern: string, address: Json): boolean {
  if (typeof address !== 'string' || address.length > LIMITS.toolUrlChars) return false;
  const [, scheme = '', name = '', port = ''] = PLAIN_ADDRESS.exec(address) ?? [];
  const host = name.toLowerCase();
  if (!isPlainHost(host) || address.includes('\\')) return false;
  if (port !== '' && port !== USUAL_PORTS[scheme.toLowerCase()]) return false;
  return readHost(address) === host && matchesHost(pattern, host);
}

/** For denying and asking. */
export function findHost(pattern: string, address: Json): Finding {
  if (typeof address !== 'string' || address.length > LIMITS.toolUrlChars) return 'unclear';
  // Some tools take an address without its scheme.
  const hosts = [address, `https://${address}`].flatMap((text) => readHost(text) ?? []);
  if (hosts.some((host) => matchesHost(pattern, host.replace(/\.+$/, '')))) return 'yes';
  const isPlain = PLAIN_ADDRESS.test(address) && isPlainHost(readHost(address) ?? '');
  return isPlain ? 'no' : 'unclear';
}

function matchesHost(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function isPlainHost(host: string): boolean {
  return host.length <= LIMITS.ruleHostChars && HOST.test(host) && !NUMERIC_END.test(`.${host}`);
}

/** `URL` takes the square of the length of a host in other scripts. */
function readHost(address: string): string | undefined {
  const [authority = ''] = BEFORE_PATH.exec(address) ?? [];
  if (authority.length > MAX_AUTHORITY_CHARS) return undefined;
  try {
    return new URL(address).hostname;
  } catch {
    return undefined;
  }
}
