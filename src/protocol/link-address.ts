/**
 * Judges the address of a link that an agent asks a person to open, and names the parts that a person compares.
 *
 * The address comes from an agent, and a person trusts the host that they read. What is shown, digested and opened is the
 * same text: the address as the URL standard writes it, where a name in another script is punycode, and every character
 * that could hide or reorder others is an escape. The server never requests it.
 */
import { deferPattern } from './defer-pattern.ts';
import { LINK_URL_CHARS } from './limits.ts';

export interface LinkAddress {
  readonly ok: true;
  /** In ASCII. */
  readonly href: string;
  /** With its port, if the address names one. */
  readonly host: string;
  /** Part of the host is the punycode of letters that may look like others. */
  readonly isPunycode: boolean;
}

interface AddressProblem {
  readonly ok: false;
  readonly problem: string;
}

/** Blanks, control characters and backslashes, which the URL standard drops or reads as something else. */
const MISREAD = deferPattern(String.raw`[\s\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`, 'u');
const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i;
/** A DNS name has at most 253 characters; `URL` takes the square of their number for other scripts. */
export const MAX_AUTHORITY_CHARS = 300;

export function readLinkAddress(text: string): LinkAddress | AddressProblem {
  if (text.length > LINK_URL_CHARS) return refuse(`Use at most ${LINK_URL_CHARS} characters`);
  const authority = MISREAD().test(text) ? undefined : AUTHORITY.exec(text)?.[1];
  if (authority === undefined || authority.length > MAX_AUTHORITY_CHARS) {
    return refuse('Use a complete address, like https://example.com/sign-in');
  }
  if (authority.includes('@')) return refuse('Leave out the name and password before the host');
  const url = parse(text);
  if (url === undefined) return refuse('Use a complete address, like https://example.com/sign-in');
  const { href, protocol, host, hostname } = url;
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname));
  if (!isAllowed) return refuse('Use https; http only leads to this machine');
  if (href.length > LINK_URL_CHARS) return refuse(`Use at most ${LINK_URL_CHARS} characters`);
  const isPunycode = hostname.split('.').some((label) => label.startsWith('xn--'));
  return { ok: true, href, host, isPunycode };
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The URL standard writes every notation of an IPv4 address in one. */
function isLoopbackName(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

function refuse(problem: string): AddressProblem {
  return { ok: false, problem };
}
