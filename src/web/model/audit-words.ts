/** The words of an entry of the audit list, and the values of its search. */
import type { ListedAuditEntry } from '../../protocol/types.ts';
import { t } from './language.ts';

/** A record, so that the type checker misses a thing that the search would not offer. */
const THINGS: Readonly<Record<ListedAuditEntry['what'], true>> = {
  interaction: true,
  gate: true,
  session: true,
  settings: true,
  key: true,
  token: true,
  target: true,
  group: true,
  person: true,
  rule: true,
  audit: true,
  workspace: true,
};

export const AUDIT_THINGS = Object.keys(THINGS) as readonly ListedAuditEntry['what'][];

export const AUDIT_OUTCOMES = [
  'approved',
  'denied',
  'answered',
  'cancelled',
  'expired',
  'superseded',
] as const;

export function auditThing(what: string): string {
  switch (what) {
    case 'interaction':
      return t('Request');
    case 'gate':
      return t('Call without a request');
    case 'session':
      return t('Session');
    case 'settings':
      return t('Settings');
    case 'key':
      return t('Key');
    case 'token':
      return t('Token');
    case 'target':
      return t('Target');
    case 'group':
      return t('Group');
    case 'person':
      return t('Person');
    case 'rule':
      return t('Rule');
    case 'workspace':
      return t('Workspace');
    case 'audit':
      return t('Audit list');
    default:
      return what;
  }
}

export function auditOutcome(outcome: string): string {
  switch (outcome) {
    case 'approved':
      return t('Approved');
    case 'denied':
      return t('Denied');
    case 'answered':
      return t('Answered');
    case 'cancelled':
      return t('Cancelled');
    case 'expired':
      return t('Expired');
    case 'superseded':
      return t('Replaced');
    default:
      return outcome;
  }
}

/** What happened, without who: the name of a tool or a key is drawn by the caller. */
export function auditDeed({ what, outcome, change, permissionMode }: ListedAuditEntry): string {
  if (outcome !== undefined) return auditOutcome(outcome);
  return [auditThing(what), change ?? permissionMode]
    .filter((word) => word !== undefined)
    .join(': ');
}

/** What it happened to, in the order in which it says most. */
export function auditAbout(entry: ListedAuditEntry): string {
  const { toolName, named, key, token, target, group, rule, workspace } = entry;
  return toolName ?? named ?? key ?? token ?? target ?? group ?? rule ?? workspace ?? '';
}

export interface AuditDraft {
  readonly who: string;
  readonly what: string;
  readonly outcome: string;
  readonly session: string;
  readonly text: string;
  /** Values of date fields. */
  readonly from: string;
  readonly to: string;
}

export const EMPTY_AUDIT_DRAFT: AuditDraft = {
  who: '',
  what: '',
  outcome: '',
  session: '',
  text: '',
  from: '',
  to: '',
};

/** The query of a search; a day is that of this browser, and the last one counts as a whole. */
export function auditSearch({ from, to, ...words }: AuditDraft): Record<string, string | number> {
  const search: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(words)) {
    if (value.trim() !== '') search[name] = value.trim();
  }
  const first = startOfNamedDay(from, 0);
  const end = startOfNamedDay(to, 1);
  if (first !== undefined) search['from'] = first;
  if (end !== undefined) search['to'] = end;
  return search;
}

function startOfNamedDay(text: string, later: number): number | undefined {
  const [year, month, day] = text.split('-').map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const at = new Date(year, month - 1, day + later).getTime();
  return Number.isNaN(at) || at < 0 ? undefined : at;
}
