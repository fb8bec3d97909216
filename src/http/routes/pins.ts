/** The sessions that a person keeps at the top of the own list. Archiving is for all; a pin is for one person. */
import * as z from 'zod';
import { actsAsAgent } from '../../protocol/caller.ts';
import { reject } from '../../protocol/errors.ts';
import { PEOPLE_TAG, route } from '../route.ts';
import { InSession } from './params.ts';

/** Not `id`: a path with that name is refused before its handler where the session is unknown. */
const PinnedSession = z.strictObject({ sessionId: InSession.shape.id });

const PIN_OWNER = { in: 'workspace', anyOf: ['read'] } as const;
const NO_PINS_OF_AGENTS = reject('forbidden', 'Pins belong to persons; an agent has none');

export const pinRoutes = [
  route({
    method: 'PUT',
    path: '/v1/me/pins/:sessionId',
    operationId: 'pinSession',
    tag: PEOPLE_TAG,
    summary: 'Pin a session: your list shows it first',
    access: PIN_OWNER,
    params: PinnedSession,
    responses: { 204: { description: 'Pinned, or it was before' } },
    errorCodes: ['limit_reached'],
    async handle({ workspace, identity, params, ports }) {
      const { caller } = identity;
      if (actsAsAgent(caller)) return NO_PINS_OF_AGENTS;
      const found = await ports.findSession(identity.workspace, params.sessionId);
      if (!found.ok) return found;
      const pinned = await workspace.pinSession(caller.subject, params.sessionId);
      return pinned.ok ? new Response(null, { status: 204 }) : pinned;
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/me/pins/:sessionId',
    operationId: 'unpinSession',
    tag: PEOPLE_TAG,
    summary: 'Unpin a session',
    access: PIN_OWNER,
    params: PinnedSession,
    responses: { 204: { description: 'Unpinned, or it was not pinned' } },
    async handle({ workspace, identity: { caller }, params }) {
      if (actsAsAgent(caller)) return NO_PINS_OF_AGENTS;
      await workspace.unpinSession(caller.subject, params.sessionId);
      return new Response(null, { status: 204 });
    },
  }),
];
