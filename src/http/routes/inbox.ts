/** The inbox: a page of it, or all that changes in it, live. */
import * as z from 'zod';
import type { Rejection } from '../../protocol/errors.ts';
import { InboxFrame } from '../../protocol/schema/inbox-frame.ts';
import { InboxEntry } from '../../protocol/schema/workspace.ts';
import { wantsStream } from '../accept.ts';
import { readResponse } from '../responses.ts';
import { createEventStream } from '../streaming/event-stream.ts';
import type { AcceptedUpgrade } from '../ports.ts';
import { type RouteCall, route } from '../route.ts';
import { ACCEPT_STREAM, After, PageSize } from './params.ts';
import { WORKSPACE_TAG } from './tags.ts';

function connectToInbox(
  { identity, ports }: RouteCall<unknown, unknown, unknown>,
  held: boolean,
  subprotocol?: string,
): Promise<AcceptedUpgrade | Rejection> {
  const { chain, expiresAt, workspace } = identity;
  return ports.inbox(workspace).connect({ chain, expiresAt, held }, subprotocol);
}

const InboxPageBody = z
  .strictObject({
    interactions: z.array(InboxEntry),
    next: z.string().optional(),
    total: z.number(),
    now: z.number(),
  })
  .meta({ id: 'InboxPage' });

export const inboxRoutes = [
  route({
    method: 'GET',
    path: '/v1/inbox',
    operationId: 'getInbox',
    tag: WORKSPACE_TAG,
    summary:
      'List open interactions by deadline, earliest first; live with `Accept: text/event-stream`',
    access: { in: 'workspace', anyOf: ['read'] },
    query: z.strictObject({ limit: PageSize.optional(), after: After.optional() }),
    responses: {
      200: {
        description: 'One page; `now` is the time of the server',
        schema: InboxPageBody,
      },
    },
    headers: [ACCEPT_STREAM],
    media: {
      'text/event-stream':
        'The first page, then its changes: `event` is the type, `data` an `InboxFrame`.',
    },
    errorCodes: ['limit_reached'],
    async handle(call) {
      const { http, workspace, query } = call;
      if (wantsStream(http.req.raw)) {
        const joined = await connectToInbox(call, true);
        return joined.ok ? createEventStream(joined.socket) : joined;
      }
      return readResponse(await workspace.inbox(query), (page) => page);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/inbox/socket',
    operationId: 'getInboxSocket',
    tag: WORKSPACE_TAG,
    summary: 'Follow the inbox by WebSocket: the first page, then its changes',
    description:
      'Subprotocols `holdpoint.v1` and `holdpoint.token.<token>`; only `holdpoint.v1` is echoed. ' +
      'The server accepts no frames but the text `ping`.',
    access: { in: 'workspace', anyOf: ['read'] },
    responses: {
      101: { description: 'Switching protocols' },
      426: { description: 'Not an upgrade' },
    },
    socket: { receives: InboxFrame },
    errorCodes: ['upgrade_required', 'limit_reached'],
    async handle(call) {
      const joined = await connectToInbox(call, false, call.subprotocol);
      return joined.ok ? joined.response : joined;
    },
  }),
];
