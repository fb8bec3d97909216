/** Neighboring tool blocks of one container make a group, until somebody is asked about one (TL-4). */
import type { Block, ToolBlock, ToolGroup } from './block.ts';
import { own } from './draft.ts';

/** At the end of `blocks`. A group that `fresh` does not know was shown before and is not touched. */
export function addTool(blocks: Block[], block: ToolBlock, fresh: Set<object>): void {
  const last = blocks.at(-1);
  if (!mayGroup(block) || (last?.type !== 'group' && (last?.type !== 'tool' || !mayGroup(last)))) {
    blocks.push(block);
    return;
  }
  if (last.type === 'tool') blocks[blocks.length - 1] = groupOf([last, block]);
  else ownTools(blocks, blocks.length - 1, fresh).push(block);
}

/** The tools of the group at `at`, to be changed. */
export function ownTools(blocks: Block[], at: number, fresh: Set<object>): ToolBlock[] {
  const copy = (block: Block) =>
    block.type === 'group' ? { ...block, tools: [...block.tools] } : block;
  return (own(fresh, blocks, at, copy) as ToolGroup).tools as ToolBlock[];
}

/** The call at `member` of the group at `at` stands alone afterwards, at the index returned. */
export function takeOut(blocks: Block[], at: number, member: number): number {
  const group = blocks[at];
  if (group?.type !== 'group') return at;
  const left = several(group.tools.slice(0, member));
  const right = several(group.tools.slice(member + 1));
  blocks.splice(at, 1, ...left, ...group.tools.slice(member, member + 1), ...right);
  return at + left.length;
}

function mayGroup(block: ToolBlock): boolean {
  return block.call.interactiveType === undefined;
}

/** A group of one is no group. */
function several(tools: ToolBlock[]): Block[] {
  return tools.length > 1 ? [groupOf(tools)] : tools;
}

function groupOf(tools: ToolBlock[]): ToolGroup {
  return { type: 'group', id: `group:${tools[0]?.call.toolCallId}`, tools };
}
