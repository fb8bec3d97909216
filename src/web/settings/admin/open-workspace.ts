import type { ServerClock } from '../../clock.ts';
import type { Person } from '../../model/person.ts';
import { HOUR_MS } from '../../model/times.ts';
import type { AdminRequests } from './admin-requests.ts';

/** A working day: the next one begins with another entry. */
const WORKSPACE_ENTRY_MS = 8 * HOUR_MS;
/** The admin key has no name that a person may have. */
const ADMIN_SUBJECT = 'admin';

/** Makes a key of the workspace for this person, and resolves with its secret. */
export function openWorkspace(
  requests: Pick<AdminRequests, 'createWorkspaceKey'>,
  name: string,
  person: Pick<Person, 'subject'>,
  clock: ServerClock,
): Promise<string> {
  return requests.createWorkspaceKey(name, {
    name: person.subject === ADMIN_SUBJECT ? 'administrator' : person.subject,
    scopes: ['admin'],
    expiresAt: Math.round(clock.now() + WORKSPACE_ENTRY_MS),
  });
}

/** The page there asks before it replaces the signed-in person. */
export function entryAddress(secret: string): string {
  return `/#token=${encodeURIComponent(secret)}`;
}
