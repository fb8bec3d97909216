/**
 * The workspaces of a deployment, as its first workspace keeps them. The list is for people alone: a workspace is what
 * its credentials name, and has its own object, so that no error in this list shows one team the sessions of another.
 */
import * as z from '../protocol/schema/zod.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import { WorkspaceEntry } from '../protocol/schema/workspace-list.ts';
import { type ReadResult, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { HOME_WORKSPACE } from '../protocol/workspaces.ts';
import { addOwnAudit } from './audit.ts';
import { parseStored } from './parse-stored.ts';
import type { WorkspaceStore } from './store.ts';

const StoredList = z.array(WorkspaceEntry.strip());

/** The first workspace, and the others in the order in which they were made. */
export function listWorkspaces(store: WorkspaceStore): WorkspaceEntry[] {
  const text = store.list('workspaces');
  const stored = text === undefined ? [] : (StoredList.safeParse(parseStored(text)).data ?? []);
  const isNamed = stored.some(({ name }) => name === HOME_WORKSPACE);
  const home = { name: HOME_WORKSPACE, title: HOME_WORKSPACE, createdAt: null };
  return isNamed ? stored : [home, ...stored];
}

export function createWorkspace(
  store: WorkspaceStore,
  { name, title = name }: { readonly name: string; readonly title?: string | undefined },
  by: Settler,
  now: number,
): ReadResult<WorkspaceEntry> {
  const all = listWorkspaces(store);
  if (all.some((known) => known.name === name)) {
    return reject('invalid_request', 'There is a workspace of this name already; use another name');
  }
  if (all.length >= LIMITS.workspaces) {
    return reject('limit_reached', 'This deployment has too many workspaces', {
      limit: 'workspaces',
      max: LIMITS.workspaces,
    });
  }
  const made = { name, title, createdAt: now };
  saveWorkspaces(store, [...all, made], () =>
    addOwnAudit(store, by, { at: now, what: 'workspace', workspace: name, change: 'created' }),
  );
  return { ok: true, value: made };
}

export function renameWorkspace(
  store: WorkspaceStore,
  name: string,
  title: string,
  { by, now }: { readonly by: Settler; readonly now: number },
): ReadResult<WorkspaceEntry> {
  const all = listWorkspaces(store);
  const known = all.find((one) => one.name === name);
  if (known === undefined) return reject('not_found', 'There is no such workspace');
  if (known.title === title) return { ok: true, value: known };
  const renamed = { ...known, title };
  saveWorkspaces(
    store,
    all.map((one) => (one === known ? renamed : one)),
    () =>
      addOwnAudit(store, by, {
        at: now,
        what: 'workspace',
        workspace: name,
        change: 'renamed',
        named: title,
      }),
  );
  return { ok: true, value: renamed };
}

function saveWorkspaces(
  store: WorkspaceStore,
  all: readonly WorkspaceEntry[],
  audit: () => void,
): void {
  store.write(() => {
    store.saveList('workspaces', JSON.stringify(all));
    audit();
  });
}
