/** The words for a tool call: its subject, its status, and who decided. */
import { isAskedByCommand, type ToolBlock } from '../../client/timeline/index.ts';
import type { Interaction, JsonObject, Rule } from '../../protocol/types.ts';
import { MODE_WORDS } from './session-words.ts';
import { escapeInvisible, visibleText } from '../../protocol/escapes.ts';
import { couldTakeDelivery, type Person } from './person.ts';

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
const BUILT_IN_CREDENTIAL = 'built-in agent';
const HANDED_OVER = 'Handed to the agent';

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
    ? 'Asked by a command, probably in this call'
    : 'Asked by a command in this call';
}

export function statusWords(block: ToolBlock, agent: CallingAgent): string {
  const { call, decided } = block;
  if (decided?.behavior === 'deny') return 'Not allowed';
  switch (call.status) {
    case 'pending':
      return 'Waiting for you';
    case 'running':
      return progressWords(block, agent);
    case 'complete':
      return 'Done';
    case 'error':
      return (
        outcomeStatus(ownSteps(block).at(-1)?.outcome) ??
        (call.result === undefined ? 'Ended without a result' : 'Failed')
      );
  }
}

/** Many agents ask and never report: their calls must not look as if they run forever. */
function progressWords(block: ToolBlock, agent: CallingAgent): string {
  const { decided, isPlaceholder } = block;
  const last = ownSteps(block).at(-1);
  if (last?.outcome === 'approved' && last.openedBy.credential !== BUILT_IN_CREDENTIAL) {
    if (agent.hasApproval === undefined) return 'Approved';
    if (!agent.hasApproval) return 'Approved, waiting to be picked up';
    return isPlaceholder ? HANDED_OVER : 'Running';
  }
  return last === undefined && decided !== undefined && !agent.isBuiltIn ? HANDED_OVER : 'Running';
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
      return 'Denied';
    case 'cancelled':
      return 'Cancelled';
    case 'expired':
      return 'Expired';
    default:
      return undefined;
  }
}

/** Who decided a call without asking a person. An undefined `rule` was revoked since. */
export function decidedWords(
  decided: NonNullable<ToolBlock['decided']>,
  rule: Rule | undefined,
  me: string,
): string {
  const verb = decided.behavior === 'allow' ? 'Allowed' : 'Denied';
  if (!('rule' in decided.by)) return `${verb} by the mode “${MODE_WORDS[decided.by.mode].name}”`;
  if (rule === undefined) return `${verb} by a rule that was revoked since`;
  const whose =
    rule.createdBy === me ? 'your rule' : `a rule of ${escapeInvisible(rule.createdBy)}`;
  const input = rule.inputDigest === undefined ? 'every call' : 'this exact input';
  return `${verb} by ${whose} for ${input}`;
}

export function groupWords(tools: readonly ToolBlock[], agent: CallingAgent): string {
  const calls = tools.map(({ call }) => call);
  const byRule = tools.filter(({ decided }) => decided !== undefined && 'rule' in decided.by);
  const failed = calls.filter(({ status }) => status === 'error').length;
  const running = tools.filter((tool) => statusWords(tool, agent) === 'Running').length;
  const parts = [`${calls.length} tool calls`];
  if (byRule.length > 0) parts.push(`${byRule.length} allowed by a rule`);
  if (running > 0) parts.push(`${running} running`);
  if (failed > 0) parts.push(`${failed} failed`);
  return parts.join(', ');
}
