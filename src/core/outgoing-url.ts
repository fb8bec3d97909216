/**
 * Which addresses a tool or a target may have.
 *
 * The caller that configures one names an address, and the server sends requests there. Without rules the caller would
 * reach addresses that only the server can reach. Checked when the address is configured, and again before each request.
 *
 * 1. Judged is the host as the URL parser reads it, which is what will be called. It folds `0x7f.1`, `2130706433`,
 *    `１２７.0.0.1` and `user@127.0.0.1` into `127.0.0.1`; no look at the text finds all of these.
 * 2. A public name may still lead to a private address. Names are not looked up here: the network of plain workerd and
 *    Cloudflare reach none, and on Node `platform/node/public-fetch.ts` judges the address that it connects to.
 */
import { LIMITS } from '../protocol/limits.ts';

const HOST_CHARS = 253;
const HOST_LABEL = /^[a-z0-9_-]{1,63}$/;
/** The parser writes every IPv4 address in this form, and an IPv6 address in brackets. */
export const IP_LITERAL = /^(\[.*\]|\d+\.\d+\.\d+\.\d+)$/;

/**
 * Domains of the machine itself, of its network, of no public host (RFC 6761, RFC 9476: only a resolver inside a
 * network resolves them), and of services that resolve a name to whichever address the name contains.
 */
const PRIVATE_DOMAINS = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'svc',
  'default',
  'cluster',
  'arpa',
  'test',
  'example',
  'invalid',
  'onion',
  'alt',
  'nip.io',
  'sslip.io',
  'xip.io',
  'lvh.me',
  'vcap.me',
  'traefik.me',
  'localtest.me',
  'lacolhost.com',
];

export interface UrlRules {
  /** Allows plain HTTP, any port and any host; for a deployment on the owner's own machine. */
  readonly allowPrivate: boolean;
}

/** Describes a problem without quoting the address, which may hold a secret; undefined if there is none. */
export function outgoingUrlProblem(url: string, { allowPrivate }: UrlRules): string | undefined {
  if (url.length > LIMITS.toolUrlChars)
    return `the URL has more than ${LIMITS.toolUrlChars} characters`;
  const parsed = parseUrl(url);
  if (parsed === undefined) return 'the URL is not valid';
  const { protocol, username, password, port, hostname } = parsed;
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) {
    return allowPrivate ? 'the URL is not one of HTTP or HTTPS' : 'the URL does not use HTTPS';
  }
  // `fetch` rejects these, and a shown address must hold no password.
  if (username !== '' || password !== '') return 'the URL holds a user name or a password';
  if (allowPrivate) return undefined;
  if (port !== '') return 'the URL names a port; only 443 is allowed';
  return outgoingHostProblem(hostname);
}

function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

function outgoingHostProblem(host: string): string | undefined {
  if (IP_LITERAL.test(host)) return `the URL names an IP address (${host}); use a host name`;
  // `localhost.` is `localhost`, and would pass every comparison below.
  if (host.endsWith('.')) return `the host "${host}" ends with a dot`;
  const labels = host.split('.');
  if (host.length > HOST_CHARS || !labels.every((label) => HOST_LABEL.test(label))) {
    return 'the URL names a host that cannot be';
  }
  const isPrivate = PRIVATE_DOMAINS.some((name) => host === name || host.endsWith(`.${name}`));
  if (isPrivate || labels.length === 1) return `the host "${host}" is not public`;
  return undefined;
}
