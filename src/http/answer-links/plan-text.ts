/**
 * A plan as headings, lists, code and bold, read line by line.
 *
 * A person approves what the agent will follow, so only the marks of these few forms are left out; everything else,
 * also links, pictures, tables and HTML, stays as its text. A number and the name of a code block are text too. Every
 * piece passes `literal`, and each pattern looks at a character a bounded number of times: a plan is as long as an agent likes.
 */
import { deferPattern } from '../../protocol/defer-pattern.ts';
import { type Html, html, literal, NOTHING, pre } from '../../core/html.ts';

type PlanBlock =
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | { readonly type: 'code'; readonly name: string; readonly lines: string[] }
  | { readonly type: 'list'; readonly items: PlanItem[] }
  | { readonly type: 'prose'; readonly lines: string[] };

interface PlanItem {
  readonly indent: number;
  /** Empty for a bullet. */
  readonly number: string;
  /** The column where the words of the item begin: lines below them have as many blanks in front. */
  readonly begin: number;
  readonly lines: string[];
}

const FENCE = /^[ \t]*(`{3,}|~{3,})([^`]*)$/;
const PLAN_HEADING = /^ {0,3}(#{1,6})[ \t]+(?=\S)(.*)$/;
const ITEM = /^([ \t]*)(?:[-*+]|(\d{1,9}[.)]))[ \t]+(?=\S)(.*)$/;

/** The text that comes before decides whether the first lines are code. */
export function planText(text: string, before = ''): Html {
  const { blocks } = readPlanBlocks(text, readPlanBlocks(before).fence);
  const nest = nestedLevels();
  return html`<div class="plan-lines markdown">${blocks.map((block) => planBlock(block, nest))}</div>`;
}

/** The fence is the mark that has to end the last block, if that is code. */
function readPlanBlocks(
  text: string,
  begun?: string,
): { blocks: PlanBlock[]; fence: string | undefined } {
  const blocks: PlanBlock[] = begun === undefined ? [] : [{ type: 'code', name: '', lines: [] }];
  let fence = begun;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const [, mark, name = ''] = FENCE.exec(line) ?? [];
    const last = blocks.at(-1);
    if (fence !== undefined && last?.type === 'code') {
      if (mark?.startsWith(fence) === true && isBlank(name)) fence = undefined;
      else last.lines.push(line);
    } else if (mark !== undefined) {
      fence = mark;
      blocks.push({ type: 'code', name: isBlank(name) ? '' : name, lines: [] });
    } else {
      readPlanLine(line, blocks);
    }
  }
  return { blocks, fence };
}

function readPlanLine(line: string, blocks: PlanBlock[]): void {
  const last = blocks.at(-1);
  const [, marks, title = ''] = PLAN_HEADING.exec(line) ?? [];
  const [, indent, number = '', words = ''] = ITEM.exec(line) ?? [];
  if (marks !== undefined) {
    blocks.push({ type: 'heading', level: marks.length, text: title });
  } else if (indent !== undefined) {
    const begin = line.length - words.length;
    const item = { indent: indent.length, number, begin, lines: [words] };
    if (last?.type === 'list') last.items.push(item);
    else blocks.push({ type: 'list', items: [item] });
  } else if (last?.type === 'list' && (isBlank(line) || /^[ \t]/.test(line))) {
    const item = last.items.at(-1);
    item?.lines.push(withoutBlanks(line, item.begin));
  } else if (isBlank(line)) {
    blocks.push({ type: 'prose', lines: [] });
  } else if (last?.type === 'prose') {
    last.lines.push(line);
  } else {
    blocks.push({ type: 'prose', lines: [line] });
  }
}

/** Other blanks are shown as escapes: they are part of the text. */
function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text);
}

function withoutBlanks(line: string, most: number): string {
  const from = line.search(/[^ \t]/);
  return line.slice(Math.min(most, from < 0 ? line.length : from));
}

/** Each heading is one level below its parent, and the first is below the title of the page. */
function nestedLevels(): (level: number) => number {
  const above: number[] = [];
  return (level) => {
    while ((above.at(-1) ?? 0) >= level) above.pop();
    above.push(level);
    return Math.min(6, above.length + 1);
  };
}

function planBlock(block: PlanBlock, nest: (level: number) => number): Html {
  switch (block.type) {
    case 'heading': {
      const level = nest(block.level);
      return html`<h${level} dir="auto">${inlineView(block.text)}</h${level}>`;
    }
    case 'code':
      return html`${block.name !== '' && html`<p class="card-hint">${literal(block.name)}</p>`}${block.lines.length > 0 && pre(block.lines.join('\n'))}`;
    case 'list':
      return html`<ul>${itemViews(block.items)}</ul>`;
    case 'prose':
      return block.lines.length === 0
        ? NOTHING
        : html`<p dir="auto">${inlineView(block.lines.join('\n'))}</p>`;
  }
}

const DEEPEST = 4;

/** An item is as deep as items above it are less indented. */
function itemViews(items: readonly PlanItem[]): Html[] {
  const above: number[] = [];
  return items.map(({ indent, number, lines }) => {
    while ((above.at(-1) ?? -1) >= indent) above.pop();
    const depth = Math.min(DEEPEST, above.length);
    above.push(indent);
    while (isBlank(lines.at(-1) ?? '-')) lines.pop();
    return html`<li class="depth-${depth}${number !== '' && ' numbered'}" dir="auto">${number !== '' && `${number} `}${inlineView(lines.join('\n'))}</li>`;
  });
}

/**
 * Code in single backticks, and bold with such code in it. No mark is left out before a combining character, which would
 * join the pile before the mark, nor where it may be part of a word or a path: `2**3`, a glob. What stands between longer
 * runs of backticks stays as it is.
 */
const PLAN_INLINE = deferPattern(
  String.raw`(?<!\x60)\x60{2,}[^\n]*?\x60{2,}` +
    String.raw`|(?<!\x60)\x60(?!\p{M})(?<code>[^\x60\n]+)\x60(?![\x60\p{M}])` +
    String.raw`|(?<![\p{L}\p{N}*/])\*\*(?![\s/\p{M}])(?<bold>[^*\x60\n]*(?:\x60[^*\x60\n]+\x60[^*\x60\n]*)*)(?<![\s/])\*\*(?![\p{L}\p{N}\p{M}*/])`,
  'gu',
);

function inlineView(text: string): Html {
  const pieces: Html[] = [];
  let from = 0;
  for (const { 0: found, index, groups } of text.matchAll(PLAN_INLINE())) {
    pieces.push(literal(text.slice(from, index)));
    if (groups?.bold) pieces.push(html`<strong>${inlineView(groups.bold)}</strong>`);
    else if (groups?.code) pieces.push(html`<code>${literal(groups.code)}</code>`);
    else pieces.push(literal(found));
    from = index + found.length;
  }
  return html`${pieces}${literal(text.slice(from))}`;
}
