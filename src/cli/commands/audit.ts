/** `holdpoint audit`: searches, exports and verifies the audit list of the workspace; for an administrator. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { readPart } from '../../client/requests/http-calls.ts';
import { AuditChainCheck, type AuditHead, auditGenesis } from '../../protocol/audit-chain.ts';
import type { ListedAuditEntry } from '../../protocol/types.ts';
import { verifyAuditLines } from '../verify-audit.ts';
import type { CliCall, CliAction } from '../cli-command.ts';
import { sha256 } from '../agent-shell.ts';
import { CliError, describeCause, EXIT, type ExitCode, usageError } from '../exit-code.ts';
import { httpCallsOf, personAccess, type ServerAccess } from '../server-access.ts';
import { printTable } from '../show-table.ts';

const FILTERS = ['who', 'what', 'session', 'outcome', 'text'] as const;
const DEFAULT_COUNT = 50;
const AUDIT_PAGE = 200;

export const audit: CliAction = async (call) => {
  const [action = 'list', name, more] = call.args.positionals;
  if (action === 'list' && name === undefined) return printEntries(call);
  if (action === 'export' && name === undefined) return printExport(call);
  if (action === 'verify' && name !== undefined && more === undefined) return verify(call, name);
  throw usageError(
    'Use: holdpoint audit, holdpoint audit export, or holdpoint audit verify FILE, - or server.',
  );
};

function readFilter({ args }: CliCall): Record<string, string | number> {
  const filter: Record<string, string | number> = {};
  for (const name of FILTERS) {
    const text = args.text(name);
    if (text !== undefined) filter[name] = text;
  }
  for (const name of ['from', 'to']) {
    const text = args.text(name);
    if (text !== undefined) filter[name] = readTime(name, text);
  }
  return filter;
}

/** Without a time zone, the zone of this machine. */
function readTime(name: string, text: string): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const at = Date.parse(isDay ? `${text}T00:00:00` : text);
  if (!Number.isNaN(at) && at >= 0) return at;
  throw usageError(`--${name} ${text}: give a time like 2026-11-19 or 2026-11-19T15:00.`);
}

async function printEntries(call: CliCall): Promise<ExitCode> {
  const { args, out, isJson, terminal } = call;
  const calls = httpCallsOf(await personAccess(call), terminal);
  const filter = readFilter(call);
  let left = args.count('limit') ?? DEFAULT_COUNT;
  const rows: string[][] = [];
  for (let before: string | undefined; left > 0; ) {
    const limit = Math.min(left, AUDIT_PAGE);
    const reply = await calls.get('/v1/audit', { ...filter, limit, before });
    const entries = readPart<readonly ListedAuditEntry[]>(reply, 'entries');
    for (const entry of entries) {
      if (isJson) out.json(entry);
      else rows.push(auditRowOf(entry));
    }
    left -= entries.length;
    const { next } = reply.body;
    if (typeof next !== 'string' || next === before) break;
    before = next;
  }
  if (!isJson) printTable(out, ['NUMBER', 'TIME', 'WHO', 'VIA', 'WHAT', 'ABOUT'], rows);
  return EXIT.ok;
}

function auditRowOf(entry: ListedAuditEntry): string[] {
  const { number, at, subject, via, what, outcome, change, permissionMode } = entry;
  const about = [
    entry.toolName,
    entry.named,
    entry.key ?? entry.token ?? entry.target ?? entry.group ?? entry.rule,
    entry.sessionId,
    entry.reason,
  ];
  return [
    String(number),
    timeText(at),
    subject,
    via,
    [what, outcome ?? change ?? permissionMode].filter((word) => word !== undefined).join(' '),
    about.filter((word) => word !== undefined).join(' · '),
  ];
}

function timeText(at: unknown): string {
  const date = new Date(Number(at));
  return Number.isNaN(date.getTime()) ? '-' : date.toISOString().slice(0, 19).replace('T', ' ');
}

/** The bytes of the server, as they come: a file must verify as it was sent. */
async function printExport(call: CliCall): Promise<ExitCode> {
  const { args, terminal } = call;
  const format = args.text('format') ?? 'jsonl';
  if (format !== 'jsonl' && format !== 'csv') {
    throw usageError(`--format ${format}: use jsonl or csv.`);
  }
  const body = await fetchExport(await personAccess(call), call, { ...readFilter(call), format });
  const decoder = new TextDecoder();
  for await (const part of body) terminal.stdout.write(decoder.decode(part, { stream: true }));
  terminal.stdout.write(decoder.decode());
  return EXIT.ok;
}

async function fetchExport(
  { url, token }: ServerAccess,
  { terminal }: Pick<CliCall, 'terminal'>,
  query: Readonly<Record<string, string | number>>,
): Promise<ReadableStream<Uint8Array>> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
  const address = `${url.replace(/\/+$/, '')}/v1/audit/export?${String(parameters)}`;
  const response = await terminal
    .fetch(address, { headers: { Authorization: `Bearer ${token}` } })
    .catch((cause: unknown) => {
      throw new CliError(
        `${url} cannot be reached: ${describeCause(cause)}.`,
        EXIT.unreachable,
        'unreachable',
      );
    });
  if (response.ok && response.body !== null) return response.body;
  const sentence = await response.text().then(messageIn, () => undefined);
  throw new CliError(sentence ?? `The server answered ${response.status}.`);
}

function messageIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? error.message : undefined;
  } catch {
    return undefined;
  }
}

async function verify(call: CliCall, source: string): Promise<ExitCode> {
  const { args, out, isJson } = call;
  const kept = readHead(args.text('head'));
  const given = args.text('workspace');
  const opened = source === 'server' ? await openServer(call) : openListFile(call, source);
  const workspace = given ?? opened.workspace;
  const genesis = workspace === undefined ? undefined : auditGenesis(workspace, sha256);
  const check = new AuditChainCheck(sha256, { genesis, ...(kept && { kept }) });
  const problem = await verifyAuditLines(opened.lines, check);
  const { head } = check;
  if (isJson) out.json({ ok: problem === undefined, entries: head?.number ?? 0, head, problem });
  if (problem !== undefined) {
    if (!isJson) out.print({ text: problem, style: 'red' });
    return EXIT.refused;
  }
  if (!isJson) {
    out.print({ text: `The chain holds: ${head?.number ?? 0} entries.`, style: 'green' });
    if (head !== undefined) out.print(`Head: ${head.number}:${head.hash}`);
  }
  return EXIT.ok;
}

interface OpenedList {
  readonly lines: AsyncIterable<Uint8Array | string>;
  /** Whose list it must be, if that is known. */
  readonly workspace?: string;
}

async function openServer(call: CliCall): Promise<OpenedList> {
  const access = await personAccess(call);
  const me = await httpCallsOf(access, call.terminal).get('/v1/me');
  return {
    lines: await fetchExport(access, call, { format: 'jsonl' }),
    workspace: readPart<string>(me, 'workspace'),
  };
}

function openListFile({ terminal }: CliCall, source: string): OpenedList {
  if (source === '-') return { lines: terminal.stdin };
  return { lines: readFileParts(path.resolve(terminal.cwd, source), source) };
}

async function* readFileParts(file: string, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw usageError(`${name} cannot be read: ${describeCause(cause)}.`);
  }
}

function readHead(text: string | undefined): AuditHead | undefined {
  if (text === undefined) return undefined;
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  if (number !== undefined && hash !== undefined) return { number: Number(number), hash };
  throw usageError('--head: give NUMBER:HASH, as the Audit page and this command show it.');
}
