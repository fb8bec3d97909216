/** The default settings of the workspace; every isolate keeps a copy. */
import type { Settler } from '../protocol/schema/actor.ts';
import { Settings } from '../protocol/schema/workspace.ts';
import { addOwnAudit } from './audit.ts';
import { parseStored } from './parse-stored.ts';
import type { WorkspaceStore } from './store.ts';

const DEFAULTS: Settings = { timeouts: {} };

/** Unreadable settings count as none: every interaction still has the deadline of its kind. */
export function readWorkspaceSettings(store: WorkspaceStore): Settings {
  const text = store.settings();
  if (text === undefined) return DEFAULTS;
  return Settings.safeParse(parseStored(text)).data ?? DEFAULTS;
}

export function updateSettings(
  store: WorkspaceStore,
  settings: Settings,
  by: Settler,
  now: number,
): Settings {
  const text = JSON.stringify(settings);
  if (text === store.settings()) return settings;
  const { forbidSelfApproval } = settings;
  const before = readWorkspaceSettings(store).forbidSelfApproval;
  store.write(() => {
    store.saveSettings(text);
    addOwnAudit(store, by, {
      at: now,
      what: 'settings',
      change: 'updated',
      ...(forbidSelfApproval !== before && { forbidSelfApproval: forbidSelfApproval ?? null }),
    });
  });
  return settings;
}
