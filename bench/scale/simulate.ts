/**
 * A large workspace through some minutes at a high rate, with time simulated.
 *
 * Real: every approval of those minutes is a session of its own that opens and answers with the product's code over
 * SQLite, and the one workspace applies each of their reports with the product's code over SQLite in a file. Copied: the
 * sessions that only exist, and the requests that only stay open, are the reports of real sessions under other ids.
 * Modelled: what the platform bills, from costs that were counted under workerd (`count-approval.ts`).
 */
import type { Report } from '../../src/core/report.ts';
import { liveOnce, type SessionLife, TEMPLATE_ID } from './sample-session.ts';
import { cpuMs, SharedWorkspace } from './shared-workspace.ts';

export interface Scene {
  readonly sessions: number;
  readonly open: number;
  readonly approvalsPerSecond: number;
  readonly seconds: number;
  readonly folder: string;
  readonly log: (line: string) => void;
}

export interface Simulated {
  readonly sessions: number;
  readonly open: number;
  readonly approvalsPerSecond: number;
  readonly seconds: number;
  readonly approvals: number;
  readonly reportsPerApproval: number;
  /** Reports that the workspace received in the second with the most. */
  readonly mostReportsInASecond: number;
  /** Processor time of the workspace object for one report, by itself. */
  readonly cpuMsPerReport: {
    readonly creation: number;
    readonly opened: number;
    readonly answered: number;
  };
  /** Processor time of one life of a session: creation, opening, answer, three reports. */
  readonly sessionCpuMs: number;
  /** The first page of the inbox, with a hundred open requests and with all. */
  readonly inboxPageMs: { readonly small: number; readonly full: number };
  readonly workspaceBytes: { readonly before: number; readonly perApproval: number };
  readonly sessionBytes: number;
  /** Alarms and calls to sessions that the workspace made by itself in these minutes. */
  readonly workspaceAlarms: number;
  readonly pokes: number;
  readonly memoryMb: number;
}

/** A person who reads for half a minute. */
const READS_S = 30;
/** A flow of requests that no session of this scene stands behind would be the same text a million times. */
const LIVES_OF_TEMPLATES = 64;
const START = 1_800_000_000_000;
const PROGRESS_EVERY = 100_000;
const FIRST_PAGE = 100;
const PAGES = 200;

type Stage = 'created' | 'opened' | 'answered';

export async function simulate(scene: Scene): Promise<Simulated> {
  const { sessions, open, approvalsPerSecond, seconds, folder, log } = scene;
  const needed = open + approvalsPerSecond * seconds;
  if (needed > sessions) throw new Error(`${needed} sessions are used, and there are ${sessions}`);
  const workspace = new SharedWorkspace(folder, START);
  try {
    const templates = await makeTemplates();
    const creation = createSessions(workspace, templates, sessions, log);
    openRequests(workspace, templates, 0, FIRST_PAGE);
    const small = pageMs(workspace);
    openRequests(workspace, templates, FIRST_PAGE, open);
    log(`    ${open.toLocaleString('en')} requests are open`);
    const before = workspace.bytes();
    const alarmsBefore = workspace.alarms;
    const flow = await flowOf(workspace, scene);
    if (workspace.openCount() !== open) throw new Error('A request of the flow is still open');
    return {
      sessions,
      open,
      approvalsPerSecond,
      seconds,
      approvals: flow.approvals,
      reportsPerApproval: flow.reports / flow.approvals,
      mostReportsInASecond: flow.mostReportsInASecond,
      cpuMsPerReport: { creation, opened: flow.openedMs, answered: flow.answeredMs },
      sessionCpuMs: flow.sessionMs,
      inboxPageMs: { small, full: pageMs(workspace) },
      workspaceBytes: { before, perApproval: (workspace.bytes() - before) / flow.approvals },
      sessionBytes: flow.sessionBytes,
      workspaceAlarms: workspace.alarms - alarmsBefore,
      pokes: workspace.pokes,
      memoryMb: process.memoryUsage().rss / 1_048_576,
    };
  } finally {
    workspace.close();
  }
}

function makeTemplates(): Promise<SessionLife[]> {
  return Promise.all(
    Array.from({ length: LIVES_OF_TEMPLATES }, (_, n) => liveOnce(START + n, START + n + 30_000)),
  );
}

function createSessions(
  workspace: SharedWorkspace,
  templates: readonly SessionLife[],
  sessions: number,
  log: Scene['log'],
): number {
  const before = process.cpuUsage();
  for (let n = 0; n < sessions; n += 1) {
    workspace.apply(reportAs(templates, n, 'created'));
    if ((n + 1) % PROGRESS_EVERY === 0) log(`    ${(n + 1).toLocaleString('en')} sessions exist`);
  }
  return cpuMs(before) / sessions;
}

/** The first sessions: the flow takes the ones after them. */
function openRequests(
  workspace: SharedWorkspace,
  templates: readonly SessionLife[],
  from: number,
  until: number,
): void {
  for (let n = from; n < until; n += 1) workspace.apply(reportAs(templates, n, 'opened'));
}

async function flowOf(workspace: SharedWorkspace, { open, approvalsPerSecond, seconds }: Scene) {
  /** By the second in which they are due. */
  const answers = new Map<number, readonly Report[]>();
  const spent = { opened: 0, answered: 0, sessions: 0 };
  let approvals = 0;
  let mostReportsInASecond = 0;
  let sessionBytes = 0;
  const reportsBefore = workspace.reports;
  for (let second = 0; second < seconds + READS_S; second += 1) {
    const now = START + 60_000 + second * 1_000;
    await workspace.passTo(now);
    const reportsOfSecond = workspace.reports;
    const opened: Report[] = [];
    if (second < seconds) {
      const answered: Report[] = [];
      const before = process.cpuUsage();
      for (let n = 0; n < approvalsPerSecond; n += 1) {
        const id = sessionId(open + second * approvalsPerSecond + n);
        const life = await liveOnce(now, now + READS_S * 1_000);
        opened.push(renamed(life.opened, id));
        answered.push(renamed(life.answered, id));
        sessionBytes = life.bytes;
      }
      spent.sessions += cpuMs(before);
      answers.set(second + READS_S, answered);
    }
    spent.opened += applyAll(workspace, opened);
    const answered = answers.get(second) ?? [];
    spent.answered += applyAll(workspace, answered);
    answers.delete(second);
    approvals += answered.length;
    mostReportsInASecond = Math.max(mostReportsInASecond, workspace.reports - reportsOfSecond);
  }
  return {
    approvals,
    reports: workspace.reports - reportsBefore,
    mostReportsInASecond,
    sessionBytes,
    openedMs: spent.opened / approvals,
    answeredMs: spent.answered / approvals,
    sessionMs: spent.sessions / approvals,
  };
}

function applyAll(workspace: SharedWorkspace, reports: readonly Report[]): number {
  const before = process.cpuUsage();
  for (const report of reports) workspace.apply(report);
  return cpuMs(before);
}

function sessionId(n: number): string {
  return `session-${n.toString(36).padStart(8, '0')}`;
}

function reportAs(templates: readonly SessionLife[], n: number, stage: Stage): Report {
  const life = templates[n % templates.length];
  if (life === undefined) throw new Error('There is no template');
  return renamed(life[stage], sessionId(n));
}

/** Every session calls its request the same, so the id of the session alone tells them apart, as in the product. */
export function renamed(report: string, id: string): Report {
  return JSON.parse(report.replaceAll(`"${TEMPLATE_ID}"`, `"${id}"`)) as Report;
}

function pageMs(workspace: SharedWorkspace): number {
  const before = process.cpuUsage();
  for (let page = 0; page < PAGES; page += 1) workspace.readInboxPage(FIRST_PAGE);
  return cpuMs(before) / PAGES;
}
