/** Events and tokens of a session, for the tests of its sockets. */
import { must } from './api.ts';
import type { TestSession } from './session.ts';

export async function sessionToken(
  session: TestSession,
  scopes: string[],
  more = {},
): Promise<string> {
  const path = `${session.path}/tokens`;
  return (await must('POST', path, { body: { scopes, ...more } })).token ?? '';
}
