/** The blocks of docs/scale.md, written from `results/scale.json`. */
import { significant } from '../lib/report.ts';
import type { Counted } from './count-approval.ts';
import { monthlyBill, OBJECT_LIMITS, PLATFORM_READ_ON, scaled, storagePrice } from './platform.ts';
import { cents, priceRows, type Shape, usageOfApproval } from './prices.ts';
import type { Saturated } from './saturate.ts';
import type { Simulated } from './simulate.ts';

/** When, where and of which code a part was measured. */
export interface Circumstances {
  readonly startedAt: string;
  readonly minutes: number;
  readonly commit: string;
  readonly cpu: string;
  readonly cores: number;
}

/** Each part can be measured by itself, so that a change of the code that it counts needs no hour of the others. */
export interface ScaleRun {
  readonly counted: Counted & {
    readonly circumstances: Circumstances;
    /** Of the code that was counted. */
    readonly shape: Shape;
  };
  readonly saturated: Saturated & { readonly circumstances: Circumstances };
  readonly simulated: Simulated & { readonly circumstances: Circumstances };
}

export type ScalePart = keyof ScaleRun;

const SECONDS_A_MONTH = 30 * 24 * 3_600;

export function scaleBlocks(run: ScaleRun): Readonly<Record<string, string>> {
  return {
    counted: countedTable(run),
    saturation: saturationText(run),
    simulation: simulationTable(run),
    prices: pricesTable(run),
  };
}

function measuredAt({ startedAt, commit }: Circumstances): string {
  return `${startedAt.slice(0, 10)} at commit \`${commit}\``;
}

function countedTable({ counted }: ScaleRun): string {
  const { creation, approval, circumstances } = counted;
  return [
    `Counted ${measuredAt(circumstances)}.`,
    '',
    table(
      ['', 'session object', 'workspace object'],
      [
        ['Creating a session: requests', creation.session.requests, creation.workspace.requests],
        ['… rows written, alarms included', written(creation.session), written(creation.workspace)],
        ['An approval: requests', approval.session.requests, approval.workspace.requests],
        ['… rows written, alarms included', written(approval.session), written(approval.workspace)],
        ['… rows read', approval.session.rowsRead, approval.workspace.rowsRead],
      ],
    ),
  ].join('\n');
}

function saturationText({ saturated, simulated, counted }: ScaleRun): string {
  const { apart, batched, approvals, circumstances } = saturated;
  const calls = counted.approval.workspace.requests;
  const { opened, answered } = simulated.cpuMsPerReport;
  const own = (opened + answered) / 2;
  const rows: (readonly string[])[] = [
    row('Measured: reports alone, at full speed', apart.reportsPerSecond, 2),
    row('Measured: question and answer in one report', batched.reportsPerSecond, 1),
    ...fromCpu('Processor time of a report, call and Worker included', apart.cpuMsPerReport, calls),
    ...fromCpu('The same, question and answer in one', batched.cpuMsPerReport, 1),
    ...fromCpu('Processor time of the workspace’s code alone', own, calls),
    row('Documented soft limit of an object', OBJECT_LIMITS.requestsPerSecond, calls),
    row('The same, question and answer in one report', OBJECT_LIMITS.requestsPerSecond, 1),
  ];
  return [
    `${approvals.toLocaleString('en')} approvals, ${measuredAt(circumstances)}; ${circumstances.cores} × ${circumstances.cpu}.`,
    '',
    table(['What ends first', 'Calls a second', 'Calls an approval', 'Approvals a second'], rows),
  ].join('\n');
}

function row(what: string, perSecond: number, calls: number): readonly string[] {
  return [what, whole(perSecond), String(calls), whole(perSecond / calls)];
}

function fromCpu(what: string, ms: number | undefined, calls: number): (readonly string[])[] {
  return ms === undefined ? [] : [row(`${what}: ${significant(ms)} ms`, 1_000 / ms, calls)];
}

function simulationTable(run: ScaleRun): string {
  const { simulated, counted } = run;
  const { circumstances } = simulated;
  const { approvalsPerSecond, sessions, open, seconds, workspaceBytes } = simulated;
  const usage = usageOfApproval(counted.approval, counted.shape);
  const bill = monthlyBill(scaled(usage, approvalsPerSecond * SECONDS_A_MONTH));
  const sessionsStored = sessions * simulated.sessionBytes;
  const untilFull =
    (OBJECT_LIMITS.storageBytes - workspaceBytes.before) / workspaceBytes.perApproval;
  const load = simulated.mostReportsInASecond / OBJECT_LIMITS.requestsPerSecond;
  return [
    `${sessions.toLocaleString('en')} sessions, ${open.toLocaleString('en')} open requests, ${approvalsPerSecond.toLocaleString('en')} approvals a second for ${seconds} simulated seconds, ${measuredAt(circumstances)}; ${circumstances.minutes.toFixed(0)} minutes, ${Math.round(simulated.memoryMb)} MB.`,
    '',
    table(
      ['Object', 'What', 'Uses', 'Limit'],
      [
        [
          'session',
          'requests a second, each',
          `below ${significant(callsOf(counted))}`,
          whole(OBJECT_LIMITS.requestsPerSecond),
        ],
        ['session', 'stored after one approval', kilobytes(simulated.sessionBytes), '10 GB'],
        [
          'session',
          'processor time of a life: created, asked, answered',
          `${significant(simulated.sessionCpuMs)} ms`,
          '30 s a request',
        ],
        [
          'workspace',
          'reports a second, the most',
          whole(simulated.mostReportsInASecond),
          `${whole(OBJECT_LIMITS.requestsPerSecond)}${load > 1 ? `: **${significant(load)} times that**` : ''}`,
        ],
        [
          'workspace',
          'processor time in a second',
          `${significant(busyMs(simulated))} ms`,
          '1,000 ms',
        ],
        [
          'workspace',
          'first page of the inbox, 100 open → all open',
          `${significant(simulated.inboxPageMs.small)} → ${significant(simulated.inboxPageMs.full)} ms`,
          '',
        ],
        ['workspace', 'stored', megabytes(workspaceBytes.before), '10 GB'],
        [
          'workspace',
          'stored for each approval (audit list, directory)',
          `${Math.round(workspaceBytes.perApproval).toLocaleString('en')} B`,
          `full after ${millions(untilFull)} million approvals`,
        ],
        [
          'workspace',
          'alarms, calls to sessions by itself',
          `${simulated.workspaceAlarms}, ${simulated.pokes}`,
          '',
        ],
      ],
    ),
    '',
    `A month at this rate, ${millions(approvalsPerSecond * SECONDS_A_MONTH)} million approvals: ${dollars(bill.total)}, of which the Worker ${dollars(bill.worker)}, requests to objects ${dollars(bill.requests)}, duration ${dollars(bill.duration)}, rows ${dollars(bill.rows)}; and ${dollars(storagePrice(sessionsStored))} for what these sessions store.`,
  ].join('\n');
}

function pricesTable({ counted }: ScaleRun): string {
  const { shape } = counted;
  const usage = usageOfApproval(counted.approval, shape);
  const month = monthlyBill(scaled(usage, 1_000_000));
  const rows = priceRows(counted.approval, shape).map(
    ({ system, dollars: price, parts, assumed }) => [
      system,
      price === undefined ? '–' : `**${cents(price)}**`,
      parts,
      assumed,
    ],
  );
  return [
    `List prices as read ${PLATFORM_READ_ON}, without what plans include. An account that does nothing else and gives a million approvals a month pays ${cents(month.total)}, the plan of $5 included.`,
    '',
    table(['System', 'A million approvals', 'Of which', 'Assumed'], rows),
  ].join('\n');
}

/** A session gets its few calls within the time in which a person answers, which is more than a second. */
function callsOf({ approval }: Counted): number {
  return approval.session.requests;
}

function busyMs({ cpuMsPerReport, mostReportsInASecond }: Simulated): number {
  return (mostReportsInASecond / 2) * (cpuMsPerReport.opened + cpuMsPerReport.answered);
}

function written({ rowsWritten, alarmMoves }: { rowsWritten: number; alarmMoves: number }): number {
  return rowsWritten + alarmMoves;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function dollars(value: number): string {
  return `$${whole(value)}`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_024).toFixed(0)} KB`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
}

function millions(count: number): string {
  return Number((count / 1e6).toPrecision(3)).toLocaleString('en');
}
