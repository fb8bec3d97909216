/**
 * The workspaces of a deployment. Administrators of the first one make them, name them and make their first keys; those
 * of another see that one alone, and every other name is 404 for them.
 */
import * as z from '../../protocol/schema/zod.ts';
import { settlerOf } from '../../protocol/caller.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { CreateKey } from '../../protocol/schema/workspace.ts';
import {
  CreateWorkspace,
  RenameWorkspace,
  WorkspaceEntry,
  WorkspaceName,
} from '../../protocol/schema/workspace-list.ts';
import { HOME_WORKSPACE } from '../../protocol/workspaces.ts';
import type { HttpPorts, Identity } from '../ports.ts';
import { route, WORKSPACE_TAG, BY_ADMIN } from '../route.ts';
import { CreatedKey, signKey } from './credentials.ts';

const OfWorkspace = z.strictObject({ name: WorkspaceName });
const WorkspaceReply = z.strictObject({ workspace: WorkspaceEntry }).meta({ id: 'WorkspaceReply' });
const WorkspacesList = z
  .strictObject({
    workspaces: z.array(WorkspaceEntry),
    current: z.string().describe('The workspace of the credential.'),
    mayCreate: z.boolean(),
  })
  .meta({ id: 'WorkspacesList' });

const UNKNOWN_WORKSPACE = reject('not_found', 'There is no such workspace');
const ELSEWHERE = reject(
  'forbidden',
  `Only an administrator of the workspace ${HOME_WORKSPACE} makes workspaces`,
);

function isAtHome({ workspace }: Identity): boolean {
  return workspace === HOME_WORKSPACE;
}

function homeOf(ports: HttpPorts) {
  return ports.workspace(HOME_WORKSPACE);
}

/** The names that this credential may know. */
async function visibleWorkspaces(
  identity: Identity,
  ports: HttpPorts,
): Promise<readonly WorkspaceEntry[]> {
  const all = await homeOf(ports).workspaces();
  if (isAtHome(identity)) return all;
  const { workspace: name } = identity;
  const own = all.find((one) => one.name === name);
  return [own ?? { name, title: name, createdAt: null }];
}

async function missingRejection(
  name: string,
  identity: Identity,
  ports: HttpPorts,
): Promise<Rejection | undefined> {
  const visible = await visibleWorkspaces(identity, ports);
  return visible.some((one) => one.name === name) ? undefined : UNKNOWN_WORKSPACE;
}

export const workspaceListRoutes = [
  route({
    method: 'GET',
    path: '/v1/workspaces',
    operationId: 'listWorkspaces',
    tag: WORKSPACE_TAG,
    summary: 'List the workspaces of the deployment; outside of `main` only the own one',
    access: BY_ADMIN,
    responses: { 200: { description: 'The workspaces', schema: WorkspacesList } },
    handle: async ({ identity, ports }) => ({
      status: 200,
      json: {
        workspaces: await visibleWorkspaces(identity, ports),
        current: identity.workspace,
        mayCreate: isAtHome(identity),
      },
    }),
  }),
  route({
    method: 'POST',
    path: '/v1/workspaces',
    operationId: 'createWorkspace',
    tag: WORKSPACE_TAG,
    summary: 'Create a workspace, as an administrator of `main`',
    access: BY_ADMIN,
    body: CreateWorkspace,
    responses: { 201: { description: 'The workspace', schema: WorkspaceReply } },
    errorCodes: ['limit_reached'],
    async handle({ body, identity, ports }) {
      if (!isAtHome(identity)) return ELSEWHERE;
      const made = await homeOf(ports).createWorkspace(body, settlerOf(identity.caller));
      return made.ok ? { status: 201, json: { workspace: made.value } } : made;
    },
  }),
  route({
    method: 'PATCH',
    path: '/v1/workspaces/:name',
    operationId: 'renameWorkspace',
    tag: WORKSPACE_TAG,
    summary: 'Give a workspace another title; its name stays, because credentials hold it',
    access: BY_ADMIN,
    params: OfWorkspace,
    body: RenameWorkspace,
    responses: { 200: { description: 'The workspace', schema: WorkspaceReply } },
    async handle({ params, body, identity, ports }) {
      const missing = await missingRejection(params.name, identity, ports);
      if (missing !== undefined) return missing;
      const by = settlerOf(identity.caller);
      const renamed = await homeOf(ports).renameWorkspace(params.name, body.title, by);
      return renamed.ok ? { status: 200, json: { workspace: renamed.value } } : renamed;
    },
  }),
  route({
    method: 'POST',
    path: '/v1/workspaces/:name/keys',
    operationId: 'createWorkspaceKey',
    tag: WORKSPACE_TAG,
    summary: 'Create a key of a workspace, for its first administrator or to enter it',
    description:
      'The key is listed and revoked in that workspace; one that lasts no longer than a day ends with the credential that made it. Its audit list says who made it, and so does that of `main`.',
    access: BY_ADMIN,
    params: OfWorkspace,
    body: CreateKey,
    responses: { 201: { description: 'The key and its secret, shown once', schema: CreatedKey } },
    errorCodes: ['limit_reached'],
    async handle({ params: { name }, body, identity, ports }) {
      const missing = await missingRejection(name, identity, ports);
      if (missing !== undefined) return missing;
      if (body.expiresAt !== undefined && body.expiresAt <= ports.now()) {
        return reject('invalid_request', 'expiresAt: is in the past');
      }
      const by = settlerOf(identity.caller);
      // Noted first: a key whose making is in no list of the maker must not exist.
      const id = ports.freshId();
      if (name !== identity.workspace) {
        const { chain } = identity;
        const made = { ...body, workspace: name, keyId: `key_${id}`, chain };
        const noted = await homeOf(ports).noteWorkspaceKey(made, by);
        if (!noted.ok) return noted;
      }
      const key = await ports.workspace(name).createKey(body, by, id);
      if ('ok' in key) return key;
      return { status: 201, json: { key, secret: await signKey(ports, name, key) } };
    },
  }),
];
