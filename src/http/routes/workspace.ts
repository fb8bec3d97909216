/** What spans sessions: the inbox as a page or live, and the settings. */
import * as z from 'zod';
import { settlerOf } from '../../protocol/caller.ts';
import { Settings, InboxEntry } from '../../protocol/schema/workspace.ts';
import { readResponse, route, type RouteCall, WORKSPACE_TAG } from '../route.ts';
import { PageSize, ACCEPT_STREAM, After } from './params.ts';
import type { Rejection } from '../../protocol/errors.ts';
import { InboxFrame } from '../../protocol/schema/frame.ts';
import { wantsStream } from '../accept.ts';
import { createEventStream } from '../streaming/sse-response.ts';
import type { AcceptedUpgrade } from '../ports.ts';

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

const SettingsReply = z.strictObject({ settings: Settings }).meta({ id: 'SettingsReply' });

export const workspaceRoutes = [
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
  route({
    method: 'GET',
    path: '/v1/settings',
    operationId: 'getSettings',
    tag: WORKSPACE_TAG,
    summary: 'Get the defaults of the workspace',
    access: { in: 'workspace', anyOf: [] },
    responses: {
      200: { description: 'The settings', schema: SettingsReply },
    },
    async handle({ workspace }) {
      const { settings } = await workspace.policy();
      return { status: 200, json: { settings } };
    },
  }),
  route({
    method: 'PUT',
    path: '/v1/settings',
    operationId: 'setSettings',
    tag: WORKSPACE_TAG,
    summary: 'Set the defaults of the workspace; sessions follow within half a minute',
    access: { in: 'workspace', anyOf: [] },
    body: Settings,
    responses: {
      200: { description: 'The settings', schema: SettingsReply },
    },
    async handle({ workspace, body, identity, ports }) {
      const settings = await workspace.updateSettings(body, settlerOf(identity.caller));
      await ports.policy.refresh(identity.workspace);
      await ports.audiences.refresh(identity.workspace);
      return { status: 200, json: { settings } };
    },
  }),
];
