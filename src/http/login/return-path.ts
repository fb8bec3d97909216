/** Where a browser goes after a login: a path of this service, whatever the address asks for. */
const OWN_PATH = /^\/(?![/\\])[\w\-./~%?&=#+:@!,]*$/;
const MAX_PATH_CHARS = 1_000;

/** The start page for anything that could lead elsewhere: another scheme, another host, `//host`, a backslash, a control. */
export function returnPath(wanted: string | undefined, origin: string): string {
  if (wanted === undefined || wanted.length > MAX_PATH_CHARS || !OWN_PATH.test(wanted)) return '/';
  if (!URL.canParse(wanted, origin)) return '/';
  const url = new URL(wanted, origin);
  const isPage = url.pathname === '/' || url.pathname === '/inbox';
  return url.origin === origin && isPage ? `${url.pathname}${url.search}${url.hash}` : '/';
}
