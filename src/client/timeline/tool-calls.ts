/** A tool call in its blocks: made, waiting for a person, finished with a result (TL-11). */
import type { EventOf, Interaction, SessionEvent } from '../../protocol/types.ts';
import type {
  ToolCallState,
  ToolCallStatus,
  ToolCallResult,
  Block,
  CallBlock,
  QuestionnaireBlock,
  ToolBlock,
  ToolGroup,
} from './block.ts';
import { type TimelineDraft, ownContainer, type BlockPosition, ownCopy } from './timeline.ts';
import { cancelledRecord } from '../../protocol/interaction-record.ts';
import { memberIndex, positionFor, findCallPosition } from './block-position.ts';

export function foldToolCall(
  draft: TimelineDraft,
  toolCallId: string,
  event: EventOf<'tool_call'>,
): void {
  const { toolName, input, decided } = event.payload;
  const run = findCallBlocks(draft, toolCallId);
  const call = { ...(run?.call ?? newCall(draft, toolCallId)), toolName, input };
  if (run === undefined && decided?.behavior === 'deny') call.status = 'error';
  const last = run && stepsOf(run).at(-1);
  if (last?.status === 'settled' && isAskedByCommand(call, last))
    call.status = statusAfter(call, last);
  // A repeated event leaves the call in its place, also in a group.
  if (run?.tool?.isPlaceholder === false) {
    changeCall(draft, run, { toolName, input });
    return;
  }
  const tool = {
    type: 'tool' as const,
    id: `tool:${toolCallId}`,
    isPlaceholder: false,
    seq: event.seq,
    at: event.at,
    ...(decided !== undefined && { decided }),
    steps: run?.tool?.steps ?? [],
  };
  putCallBlocks(draft, run, event, call, [tool, ...(run?.asked ?? [])]);
}

/** The state of a new call, with a result that may have come before it. */
export function newCall(draft: TimelineDraft, toolCallId: string): ToolCallState {
  const result = draft.early.get(toolCallId) as ToolCallResult | undefined;
  draft.early.delete(toolCallId);
  return {
    toolCallId,
    toolName: '',
    input: '',
    status: draft.waiting.has(toolCallId) ? 'pending' : restingStatus(result),
    ...(result !== undefined && { result }),
  };
}

/** A result ends the wait; the next event cancels the interaction (TL-9). */
export function foldToolResult(
  draft: TimelineDraft,
  toolCallId: string,
  event: EventOf<'tool_result'>,
): void {
  const result = { output: event.payload.output, isError: event.payload.isError === true };
  draft.waiting.delete(toolCallId);
  const run = findCallBlocks(draft, toolCallId);
  if (run === undefined) draft.early.set(toolCallId, result);
  else changeCall(draft, run, { result, status: restingStatus(result) }, cancelAt(event.at));
}

export function foldPending(draft: TimelineDraft, event: EventOf<'interaction_pending'>): void {
  const { toolCallId, pending } = event.payload;
  if (pending) draft.waiting.add(toolCallId);
  else draft.waiting.delete(toolCallId);
  const run = findCallBlocks(draft, toolCallId);
  if (run === undefined) return;
  const status = pending ? 'pending' : statusAfter(run.call, stepsOf(run).at(-1));
  if (status !== run.call.status) changeCall(draft, run, { status });
}

/** The name of a call that no event reported and whose question is known; see `callOfRequest`. */
export const UNREPORTED_QUESTION = 'AskUserQuestion';

/**
 * Whether a command asked that the call runs. Such a step decides about the command and not about the call, which keeps its
 * own name and goes on whatever the outcome is.
 */
export function isAskedByCommand(
  { toolName }: Pick<ToolCallState, 'toolName'>,
  { correlate, toolName: ownName }: Interaction,
): boolean {
  // A hook describes the call itself, by its input.
  if (correlate === undefined || 'inputDigest' in correlate) return false;
  return toolName !== ownName && toolName !== UNREPORTED_QUESTION;
}

/** The status of a call after its last step. */
export function statusAfter(call: ToolCallState, step: Interaction | undefined): ToolCallStatus {
  const isOfCall = step !== undefined && !isAskedByCommand(call, step);
  return restingStatus(call.result, isOfCall ? step : undefined);
}

/** The status while no person is asked. A call that was not allowed is an error, whatever its agent reports later. */
function restingStatus(result: ToolCallResult | undefined, step?: Interaction): ToolCallStatus {
  if (result !== undefined) return result.isError ? 'error' : 'complete';
  const outcome = step?.outcome ?? 'approved';
  return outcome === 'approved' || outcome === 'answered' ? 'running' : 'error';
}

export function cancelAt(at: number): (step: Interaction) => Interaction {
  return (step) => (step.status === 'open' ? cancelledRecord(step, at) : step);
}

/**
 * The blocks of one tool call: its tool block, if there is one, then its questionnaires. They are neighbors in one
 * container and share one `ToolCallState`, so a call never appears twice.
 */
export interface CallBlocks {
  readonly position: BlockPosition;
  /** The index of the first block, the number of blocks, and the index in a group. */
  readonly at: number;
  readonly count: number;
  readonly member: number;
  readonly call: ToolCallState;
  readonly tool: ToolBlock | undefined;
  readonly asked: readonly QuestionnaireBlock[];
}

export function findCallBlocks(draft: TimelineDraft, toolCallId: string): CallBlocks | undefined {
  const place = findCallPosition(draft, toolCallId);
  const blocks = place && draft.turns[place.turn]?.containers[place.container]?.blocks;
  if (place === undefined || blocks === undefined) return undefined;
  const isOf = (block: Block) => memberIndex(block, toolCallId) >= 0;
  const end = blocks.findLastIndex(isOf);
  const last = blocks[end];
  if (last === undefined) return undefined;
  let at = end;
  while (at > 0 && isOf(blocks[at - 1] as Block)) at -= 1;
  const member = memberIndex(last, toolCallId);
  const first = (last.type === 'group' ? last.tools[member] : blocks[at]) as CallBlock;
  const tool = first.type === 'tool' ? first : undefined;
  const asked = blocks.slice(tool === undefined ? at : at + 1, end + 1) as QuestionnaireBlock[];
  return { position: place, at, count: end + 1 - at, member, call: first.call, tool, asked };
}

/** The interactions of both block types, oldest first. */
export function stepsOf({ tool, asked }: CallBlocks): Interaction[] {
  return [...(tool?.steps ?? []), ...asked.map((one) => one.step)].sort(
    (one, other) => openedAtOf(one) - openedAtOf(other),
  );
}

/** An object of a log of another make need not become a number. */
function openedAtOf({ openedAt }: Interaction): number {
  return typeof openedAt === 'number' ? openedAt : 0;
}

/** Changes the call in every block that shows it. */
export function changeCall(
  draft: TimelineDraft,
  run: CallBlocks,
  change: Partial<ToolCallState>,
  changeStep: (step: Interaction) => Interaction = (step) => step,
): void {
  const call = { ...run.call, ...change };
  const blocks = ownContainer(draft, run.position).blocks;
  if (blocks[run.at]?.type === 'group') {
    const tools = ownTools(blocks, run.at, draft.fresh);
    tools[run.member] = { ...(run.tool as ToolBlock), call };
    return;
  }
  for (let at = run.at; at < run.at + run.count; at += 1) {
    const block = blocks[at] as CallBlock;
    blocks[at] =
      block.type === 'tool'
        ? { ...block, call, steps: block.steps.map(changeStep) }
        : { ...block, call, step: changeStep(block.step) };
  }
}

type BareBlock = Omit<ToolBlock, 'call'> | Omit<QuestionnaireBlock, 'call'>;

/** Replaces the blocks of this call; the blocks of a new call go to the position of its event. */
export function putCallBlocks(
  draft: TimelineDraft,
  run: CallBlocks | undefined,
  event: SessionEvent,
  call: ToolCallState,
  bare: readonly BareBlock[],
): void {
  const { toolCallId } = call;
  const place = run?.position ?? findCallPosition(draft, toolCallId) ?? positionFor(draft, event);
  const container = ownContainer(draft, place);
  const blocks = bare.map((block) => ({ ...block, call }));
  const [first] = blocks;
  if (run !== undefined) {
    const at = ungroup(container.blocks, run.at, run.member);
    container.blocks.splice(at, run.count, ...blocks);
    return;
  }
  draft.index.set(toolCallId, place);
  if (first?.type === 'tool') addTool(container.blocks, first, draft.fresh);
  else container.blocks.push(...blocks);
}

/**
 * Neighboring tool blocks of one container form a group, until a person is asked about one of them (TL-4). Adds a block at
 * the end of `blocks`; a group that is not in `fresh` was shown before and is copied first.
 */
function addTool(blocks: Block[], block: ToolBlock, fresh: Set<object>): void {
  const last = blocks.at(-1);
  if (!mayGroup(block) || (last?.type !== 'group' && (last?.type !== 'tool' || !mayGroup(last)))) {
    blocks.push(block);
    return;
  }
  if (last.type === 'tool') blocks[blocks.length - 1] = makeGroup([last, block]);
  else ownTools(blocks, blocks.length - 1, fresh).push(block);
}

/** The tools of the group at `at`, as a list that may be changed. */
function ownTools(blocks: Block[], at: number, fresh: Set<object>): ToolBlock[] {
  const copy = (block: Block) =>
    block.type === 'group' ? { ...block, tools: [...block.tools] } : block;
  return (ownCopy(fresh, blocks, at, copy) as ToolGroup).tools as ToolBlock[];
}

/** Takes the call at `member` out of the group at `at`, and returns its index. */
function ungroup(blocks: Block[], at: number, member: number): number {
  const group = blocks[at];
  if (group?.type !== 'group') return at;
  const left = groupIfSeveral(group.tools.slice(0, member));
  const right = groupIfSeveral(group.tools.slice(member + 1));
  blocks.splice(at, 1, ...left, ...group.tools.slice(member, member + 1), ...right);
  return at + left.length;
}

function mayGroup(block: ToolBlock): boolean {
  return block.call.interactiveType === undefined;
}

/** A group of one is no group. */
function groupIfSeveral(tools: ToolBlock[]): Block[] {
  return tools.length > 1 ? [makeGroup(tools)] : tools;
}

function makeGroup(tools: ToolBlock[]): ToolGroup {
  return { type: 'group', id: `group:${tools[0]?.call.toolCallId}`, tools };
}
