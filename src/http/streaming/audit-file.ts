/** The audit list as a file. It is read part by part as its reader takes it: the list need not fit in memory. */
import { readAuditMembers } from '../../protocol/audit-chain.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { AuditFilter } from '../../protocol/schema/workspace.ts';
import type { LinkedAuditRow } from '../../workspace/store.ts';
import { isoTime } from '../answer-links/request-parts.ts';
import type { WorkspaceStub } from '../stubs.ts';
import { streamWhileRead } from './stream-parts.ts';

export const AUDIT_FORMATS = ['jsonl', 'csv'] as const;
type AuditFormat = (typeof AUDIT_FORMATS)[number];

interface AuditFile {
  readonly format: AuditFormat;
  readonly filter: AuditFilter;
}

const MEDIA_TYPES: Readonly<Record<AuditFormat, string>> = {
  jsonl: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
};

type FindWorkspace = () => Promise<Pick<WorkspaceStub, 'audit' | 'exportAudit'>>;

/** A stub may break while a slow reader reads, so each part has a new one. Rejects once the reader may read no more. */
export async function streamAudit(
  findWorkspace: FindWorkspace,
  { format, filter }: AuditFile,
  onEnd: () => void,
): Promise<Response> {
  const newest = await (await findWorkspace()).audit({ limit: 1 });
  const upTo = newest.ok ? (newest.value.head?.number ?? Number.MAX_SAFE_INTEGER) : 0;
  const encoder = new TextEncoder();
  const write = format === 'csv' ? csvLine : jsonLine;
  let after: number | undefined = 0;
  let unsent = format === 'csv' ? csvText(CSV_COLUMNS) : '';
  const parts = streamWhileRead(async () => {
    // A filter may leave a part empty.
    while (unsent === '' && after !== undefined) {
      const workspace = await findWorkspace();
      const { rows, next } = await workspace.exportAudit({ after, upTo, filter });
      after = next;
      unsent = rows.map((row) => write(chainedMembers(row))).join('');
    }
    const text = unsent;
    unsent = '';
    return text === '' ? undefined : encoder.encode(text);
  }, onEnd);
  return new Response(parts, {
    headers: {
      'Content-Type': MEDIA_TYPES[format],
      'Content-Disposition': `attachment; filename="audit.${format}"`,
      'Cache-Control': 'no-store',
    },
  });
}

function chainedMembers({ entry, number, previous, hash }: LinkedAuditRow): JsonObject {
  return { ...readAuditMembers(entry), number, previous: previous ?? '', hash: hash ?? '' };
}

function jsonLine(members: JsonObject): string {
  return `${JSON.stringify(members)}\n`;
}

const CSV_COLUMNS = [
  'number',
  'time',
  'what',
  'change',
  'subject',
  'via',
  'credential',
  'key',
  'session',
  'interaction',
  'kind',
  'tool',
  'outcome',
  'reason',
  'about',
  'scopes',
  'digest',
  'hash',
] as const;

function csvLine(entry: JsonObject): string {
  const by = typeof entry['by'] === 'object' ? (entry['by'] as JsonObject | null) : null;
  const { scopes } = entry;
  const fields: Readonly<Record<(typeof CSV_COLUMNS)[number], unknown>> = {
    number: entry['number'],
    time: writtenTime(entry['at']),
    what: entry['what'] ?? 'unreadable',
    change: entry['change'] ?? entry['permissionMode'],
    subject: entry['subject'],
    via: entry['via'],
    credential: by?.['credential'],
    key: by?.['key'],
    session: entry['sessionId'],
    interaction: entry['interactionId'],
    kind: entry['kind'],
    tool: entry['toolName'],
    outcome: entry['outcome'],
    reason: entry['reason'],
    about:
      entry['named'] ??
      entry['key'] ??
      entry['token'] ??
      entry['target'] ??
      entry['group'] ??
      entry['rule'],
    scopes: Array.isArray(scopes) ? scopes.map(String).join(' ') : undefined,
    digest: entry['digest'],
    hash: entry['hash'],
  };
  return csvText(CSV_COLUMNS.map((column) => fields[column]));
}

function csvText(values: readonly unknown[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

/** A spreadsheet runs a field that begins so, also in quotes. */
const FORMULA = /^[=+\-@\t\r\n]/;

function csvField(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text =
    typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A time that is none must not end the export. */
function writtenTime(at: unknown): string {
  return typeof at === 'number' && Math.abs(at) <= MAX_DATE_MS ? isoTime(at) : '';
}

const MAX_DATE_MS = 8_640_000_000_000_000;
