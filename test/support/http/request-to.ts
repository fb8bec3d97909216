/** A request to an application that no server stands before. */
export function requestTo(path: string, init?: RequestInit): Request {
  return new Request(new URL(path, 'http://hold.example'), init);
}
