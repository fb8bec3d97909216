/** The audit list and the settings of a workspace. */
import * as z from 'zod';
import { settlerOf } from '../../protocol/caller.ts';
import { AuditEntry, Settings } from '../../protocol/schema/workspace.ts';
import { readResponse } from '../responses.ts';
import { route } from '../route.ts';
import { Before, PageSize } from './params.ts';
import { WORKSPACE_TAG } from './tags.ts';

const AuditPageBody = z
  .strictObject({ entries: z.array(AuditEntry), next: z.string().optional() })
  .meta({ id: 'AuditPage' });
const SettingsReply = z.strictObject({ settings: Settings }).meta({ id: 'SettingsReply' });

export const workspaceRoutes = [
  route({
    method: 'GET',
    path: '/v1/audit',
    operationId: 'getAudit',
    tag: WORKSPACE_TAG,
    summary: 'List decisions and changes: who, what, when, from where; newest first',
    access: { in: 'workspace', anyOf: [] },
    query: z.strictObject({ limit: PageSize.optional(), before: Before.optional() }),
    responses: {
      200: {
        description: 'One page',
        schema: AuditPageBody,
      },
    },
    handle: async ({ workspace, query }) =>
      readResponse(await workspace.audit(query), (page) => page),
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
      return { status: 200, json: { settings } };
    },
  }),
];
