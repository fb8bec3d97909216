/** The requests of the pages for administrators. */
import { readPart } from '../../../client/requests/http-calls.ts';
import { credentialHeaders } from '../../../protocol/credential-headers.ts';
import type {
  JsonObject,
  ListedAuditEntry,
  ListedKey,
  Retention,
  RetentionPreview,
  Status,
  WorkspaceEntry,
} from '../../../protocol/types.ts';
import type { Person } from '../../model/person.ts';
import { serverCalls } from '../../server-calls.ts';

export type AuditSearch = Readonly<Record<string, string | number>>;

export interface FoundAudit {
  readonly entries: readonly ListedAuditEntry[];
  readonly next: string | undefined;
  readonly head: { readonly number: number; readonly hash: string } | null;
}

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: number;
}

export interface AdminRequests {
  keys(): Promise<readonly ListedKey[]>;
  /** Resolves with the secret, which nothing reads back. */
  createKey(key: NewKey): Promise<string>;
  revokeKey(id: string): Promise<void>;
  audit(search: AuditSearch, before?: string): Promise<FoundAudit>;
  exportAudit(search: AuditSearch, format: 'csv' | 'jsonl'): Promise<Blob>;
  settings(): Promise<JsonObject>;
  saveSettings(settings: JsonObject): Promise<JsonObject>;
  status(): Promise<Status>;
  previewRetention(retention: Retention): Promise<RetentionPreview>;
  /** Its whole log; read to the end by an administrator, the session counts as exported. */
  exportSession(id: string): Promise<Blob>;
  workspaces(): Promise<ListedWorkspaces>;
  createWorkspace(name: string, title: string): Promise<void>;
  renameWorkspace(name: string, title: string): Promise<void>;
  /** Resolves with the secret of a key of that workspace. */
  createWorkspaceKey(workspace: string, key: NewKey): Promise<string>;
}

interface ListedWorkspaces {
  readonly workspaces: readonly WorkspaceEntry[];
  /** The one that the person is signed in to. */
  readonly current: string;
  readonly mayCreate: boolean;
}

const ENTRIES_AT_ONCE = 50;

const LAST_LINE = /\{"end":true,"head":\d+\}\n$/;
const LAST_LINE_BYTES = 64;

export function serverAdmin(person: Pick<Person, 'token'>): AdminRequests {
  const calls = serverCalls(person);
  const readFile = async (path: string) => {
    const response = await fetch(path, { headers: credentialHeaders(person.token) });
    if (!response.ok) throw new Error(`The export was answered with ${response.status}`);
    return response.blob();
  };
  return {
    async keys() {
      return readPart(await calls.get('/v1/keys'), 'keys');
    },
    async createKey(key) {
      return readPart(await calls.post('/v1/keys', key), 'secret');
    },
    async revokeKey(id) {
      await calls.change('DELETE', `/v1/keys/${encodeURIComponent(id)}`);
    },
    async audit(search, before) {
      const reply = await calls.get('/v1/audit', { ...search, limit: ENTRIES_AT_ONCE, before });
      const { next } = reply.body;
      return {
        entries: readPart(reply, 'entries'),
        next: typeof next === 'string' ? next : undefined,
        head: readPart(reply, 'head'),
      };
    },
    async exportAudit(search, format) {
      const query = new URLSearchParams({ format });
      for (const [name, value] of Object.entries(search)) query.set(name, String(value));
      return readFile(`/v1/audit/export?${String(query)}`);
    },
    async settings() {
      return readPart(await calls.get('/v1/settings'), 'settings');
    },
    async saveSettings(settings) {
      return readPart(await calls.change('PUT', '/v1/settings', settings), 'settings');
    },
    async status() {
      return (await calls.get('/v1/status')).body as unknown as Status;
    },
    async previewRetention(retention) {
      return readPart(await calls.post('/v1/retention/preview', retention), 'preview');
    },
    async exportSession(id) {
      const log = await readFile(`/v1/sessions/${encodeURIComponent(id)}/export`);
      // Half of an export that broke off looks whole to a browser; the last line alone says that it is (LOG-10).
      if (!LAST_LINE.test(await log.slice(-LAST_LINE_BYTES).text())) {
        throw new Error('The export broke off');
      }
      return log;
    },
    async workspaces() {
      return (await calls.get('/v1/workspaces')).body as unknown as ListedWorkspaces;
    },
    async createWorkspace(name, title) {
      await calls.post('/v1/workspaces', { name, title });
    },
    async renameWorkspace(name, title) {
      await calls.change('PATCH', `/v1/workspaces/${encodeURIComponent(name)}`, { title });
    },
    async createWorkspaceKey(workspace, key) {
      const path = `/v1/workspaces/${encodeURIComponent(workspace)}/keys`;
      return readPart(await calls.post(path, key), 'secret');
    },
  };
}
