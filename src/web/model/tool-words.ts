/** The words for a tool call: its subject and its status. */
import { isAskedByCommand, type ToolBlock } from '../../client/timeline/index.ts';
import type { Interaction, JsonObject } from '../../protocol/types.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { couldTakeDelivery, type Person } from './person.ts';
import { t, tn } from './language.ts';

/** Input fields that distinguish the calls of a tool; the first one present is shown. */
const SUBJECT_FIELDS = [
  'path',
  'file_path',
  'command',
  'url',
  'pattern',
  'query',
  'title',
  'description',
];
const MAX_SUBJECT_CHARS = 140;
/** The credential in interactions that the built-in agent opened. */
export const BUILT_IN_CREDENTIAL = 'built-in agent';

export function toolSubject(input: JsonObject | ''): string {
  if (input === '') return '';
  const text =
    SUBJECT_FIELDS.map((name) => input[name]).find((part) => typeof part === 'string') ?? '';
  const line = text.trimStart().split('\n', 1)[0] ?? '';
  const isCut = line.length > MAX_SUBJECT_CHARS || line.length < text.trim().length;
  return visibleText(line.slice(0, MAX_SUBJECT_CHARS)) + (isCut ? '…' : '');
}

/** The known facts about the agent of a call. */
export interface CallingAgent {
  /** The built-in agent, which reports everything it does. */
  readonly isBuiltIn: boolean;
  /** The agent has received the approval; undefined while unknown. */
  readonly hasApproval: boolean | undefined;
}

/** The requests about the call itself; the others come from a command that the call runs. */
export function ownSteps({ call, steps }: ToolBlock): readonly Interaction[] {
  return steps.filter((step) => !isAskedByCommand(call, step));
}

/** Undefined for a request about the call itself. */
export function originWords(call: ToolBlock['call'], step: Interaction): string | undefined {
  if (!isAskedByCommand(call, step)) return undefined;
  return step.correlated?.by === 'shell'
    ? t('Asked by a command, probably in this call')
    : t('Asked by a command in this call');
}

export function statusWords(block: ToolBlock, agent: CallingAgent): string {
  const { call, decided } = block;
  if (decided?.behavior === 'deny') return t('Not allowed');
  switch (call.status) {
    case 'pending':
      return t('Waiting for you');
    case 'running':
      return progressWords(progressOf(block, agent));
    case 'complete':
      return t('Done');
    case 'error':
      return (
        outcomeStatus(ownSteps(block).at(-1)?.outcome) ??
        (call.result === undefined ? t('Ended without a result') : t('Failed'))
      );
  }
}

function isRunning(block: ToolBlock, agent: CallingAgent): boolean {
  return block.call.status === 'running' && progressOf(block, agent) === 'running';
}

/** Many agents ask and never report: their calls must not look as if they run forever. */
function progressOf(block: ToolBlock, agent: CallingAgent): Progress {
  const { decided, isPlaceholder } = block;
  const last = ownSteps(block).at(-1);
  if (last?.outcome === 'approved' && last.openedBy.credential !== BUILT_IN_CREDENTIAL) {
    if (agent.hasApproval === undefined) return 'approved';
    if (!agent.hasApproval) return 'waiting';
    return isPlaceholder ? 'handed over' : 'running';
  }
  const isHandedOver = last === undefined && decided !== undefined && !agent.isBuiltIn;
  return isHandedOver ? 'handed over' : 'running';
}

type Progress = 'approved' | 'waiting' | 'handed over' | 'running';

function progressWords(progress: Progress): string {
  switch (progress) {
    case 'approved':
      return t('Approved');
    case 'waiting':
      return t('Approved, waiting to be picked up');
    case 'handed over':
      return t('Handed to the agent');
    case 'running':
      return t('Running');
  }
}

/** The approval that the agent may not have received yet, if the status of the call depends on it. */
export function undeliveredApproval(
  block: ToolBlock,
  me: Pick<Person, 'credential' | 'scopes'>,
): string | undefined {
  const { call } = block;
  const last = ownSteps(block).at(-1);
  if (call.status !== 'running' || last?.outcome !== 'approved') return undefined;
  const isBuiltIn = last.openedBy.credential === BUILT_IN_CREDENTIAL;
  return isBuiltIn || couldTakeDelivery(last, me) ? undefined : last.interactionId;
}

function outcomeStatus(outcome: string | null | undefined): string | undefined {
  switch (outcome) {
    case 'denied':
      return t('Denied');
    case 'cancelled':
      return t('Cancelled');
    case 'expired':
      return t('Expired');
    default:
      return undefined;
  }
}

export function groupWords(tools: readonly ToolBlock[], agent: CallingAgent): string {
  const calls = tools.map(({ call }) => call);
  const byRule = tools.filter(({ decided }) => decided !== undefined && 'rule' in decided.by);
  const failed = calls.filter(({ status }) => status === 'error').length;
  const running = tools.filter((tool) => isRunning(tool, agent)).length;
  const parts = [t('{count} tool calls', { count: calls.length })];
  if (byRule.length > 0) parts.push(t('{count} allowed by a rule', { count: byRule.length }));
  if (running > 0) parts.push(tn(running, '1 running', '{count} running'));
  if (failed > 0) parts.push(t('{count} failed', { count: failed }));
  return parts.join(', ');
}
