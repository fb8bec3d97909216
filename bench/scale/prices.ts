/**
 * What a million approvals cost by list price: here from counted requests, rows and seconds, elsewhere from the shape of
 * an approval in that system and its public price. Each row names what was assumed. A price that no page states is left
 * out, and the row says so.
 */
import type { ObjectCosts } from '../lib/object-costs.ts';
import type { CountedCosts } from './count-approval.ts';
import { priceOf, scaled, type Usage } from './platform.ts';

export const MILLION = 1_000_000;

/** A person reads for half a minute, longer than a call waits. */
export interface Shape {
  /** Seconds for which the session cannot hibernate while it waits: a pending call does that, a hibernating socket does not. */
  readonly callWaitsS: number;
  /** For so long the report of an answer waits for a next question, and its timer keeps the session from hibernating. */
  readonly answerReportedAfterS: number;
}

/** The report of a question is sent sooner. */
const QUESTION_REPORTED_AFTER_S = 0.25;
/** Of a request, a report or an alarm in an object; measured as milliseconds of the processor, rounded up. */
const HANDLING_S = 0.01;
/** Open, wait and answer. */
const WORKER_REQUESTS = 3;
/** All of the server's processor time of a trip, though most of it belongs to objects, which pay for seconds instead. */
const WORKER_CPU_MS = 3;

export function usageOfApproval(
  { session, workspace }: CountedCosts,
  { callWaitsS, answerReportedAfterS }: Shape,
): Usage {
  // The deadline of a request fires the alarm of its session, also when the request is settled by then.
  const deadlineAlarm = 1;
  const handled = (of: ObjectCosts) => of.requests + of.alarms + of.messages;
  const requests = handled(session) + handled(workspace) + deadlineAlarm;
  return {
    workerRequests: WORKER_REQUESTS,
    workerCpuMs: WORKER_CPU_MS,
    objectRequests: requests - session.messages - workspace.messages,
    socketMessages: session.messages + workspace.messages,
    activeSeconds:
      Math.max(callWaitsS, QUESTION_REPORTED_AFTER_S) +
      answerReportedAfterS +
      requests * HANDLING_S,
    rowsRead: session.rowsRead + workspace.rowsRead,
    rowsWritten:
      session.rowsWritten + session.alarmMoves + workspace.rowsWritten + workspace.alarmMoves,
  };
}

/** One object a conversation whose state is one row, as the Agents SDK keeps it: three requests, the state written twice. */
export const OBJECT_A_CHAT: Usage = {
  workerRequests: 3,
  workerCpuMs: 2,
  objectRequests: 3,
  socketMessages: 0,
  activeSeconds: 3 * HANDLING_S,
  rowsRead: 3,
  rowsWritten: 2,
};

/** An instance for each approval: its creation and two requests of a Worker; the wait itself is free. */
const WORKFLOWS: Usage = {
  workerRequests: 3,
  workerCpuMs: 20,
  objectRequests: 0,
  socketMessages: 0,
  activeSeconds: 0,
  rowsRead: 0,
  rowsWritten: 0,
};

/** "Temporal Cloud pricing": dollars a million actions on the plan without a base fee, and its fee of a tenth. */
const TEMPORAL = { dollarsPerMillionActions: 50, planFee: 1.1 };
/** The start of a workflow, the activity that notifies a person, the timer of the deadline, the signal with the answer. */
const TEMPORAL_ACTIONS = 4;
/** "Usage" in the documentation of Trigger.dev: the cents that a run costs before its first second. */
const TRIGGER_CENTS_A_RUN = 0.0025;

export interface PriceRow {
  readonly system: string;
  /** Dollars for a million approvals; undefined where no public page states a price. */
  readonly dollars: number | undefined;
  readonly parts: string;
  readonly assumed: string;
}

export function priceRows(counted: CountedCosts, shape: Shape): PriceRow[] {
  const { callWaitsS } = shape;
  const isShort = callWaitsS <= QUESTION_REPORTED_AFTER_S;
  return [
    platformRow(
      'Holdpoint, three requests',
      usageOfApproval(counted, shape),
      `counted under workerd; the person takes half a minute${isShort ? '' : `, and the call of the agent waits in the object for the first ${callWaitsS} s`}`,
    ),
    ...(isShort
      ? []
      : [
          platformRow(
            'The same, if the agent waited on a hibernating socket from the start',
            usageOfApproval(counted, { ...shape, callWaitsS: 0 }),
            'the same counts without the seconds of the call',
          ),
        ]),
    platformRow(
      'An object a chat, its state in one row (the shape of the Agents SDK)',
      OBJECT_A_CHAT,
      'three requests, the state written at the question and at the answer; no log, inbox, deadline or audit list',
    ),
    platformRow(
      'Cloudflare Workflows, an instance an approval',
      WORKFLOWS,
      'one invocation of a workflow, two of a Worker, 20 ms of processor time together; no list of open requests',
    ),
    {
      system: 'Temporal Cloud, a workflow an approval',
      dollars: TEMPORAL_ACTIONS * TEMPORAL.dollarsPerMillionActions * TEMPORAL.planFee,
      parts: `${TEMPORAL_ACTIONS} million actions, fee of the plan`,
      assumed:
        'start, notification, timer of the deadline, signal; without storage and without the workers, which run elsewhere',
    },
    {
      system: 'Trigger.dev, a run an approval',
      dollars: (TRIGGER_CENTS_A_RUN / 100) * MILLION,
      parts: 'the start of each run alone',
      assumed:
        'the run waits for a token, which costs no processor time; the seconds of its machine are left out, so this is the least',
    },
    {
      system: 'LangGraph on Postgres',
      dollars: undefined,
      parts: 'no list price',
      assumed: 'a database of one’s own has the price of its machine, not of an approval',
    },
  ];
}

function platformRow(system: string, usage: Usage, assumed: string): PriceRow {
  const bill = priceOf(scaled(usage, MILLION));
  const parts = [
    `Worker ${cents(bill.worker)}`,
    `requests ${cents(bill.requests)}`,
    `duration ${cents(bill.duration)}`,
    `rows ${cents(bill.rows)}`,
  ];
  return { system, dollars: bill.total, parts: parts.join(', '), assumed };
}

export function cents(value: number): string {
  return `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
