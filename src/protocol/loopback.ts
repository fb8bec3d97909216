/** Whether a host is this machine itself, where nobody is on the way. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
