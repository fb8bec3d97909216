/**
 * Compares the rules of docs/behaviour.md with the tests that cite them.
 *
 * A citation is in brackets in the title of a test or a describe: `[LOG-1]`, `[PEND-2, PEND-3]`. A skipped or to-do test
 * proves nothing, so its citations do not count. Reads no disk.
 */
import { type ESTree, Visitor, parseSync } from 'vite';

export interface Rule {
  address: string;
  state: 'built' | 'planned';
}

export interface Citation {
  address: string;
  file: string;
  line: number;
}

export interface Verdict {
  errors: string[];
  warnings: string[];
  summary: string;
}

const ADDRESS = String.raw`[A-Z]+-\d+`;
const RULE_LINE = new RegExp(String.raw`^\s*[-*] \*\*(${ADDRESS})\*\*(?: \((\w+)\))?`);
const BRACKETS = new RegExp(String.raw`\[(${ADDRESS}(?:,\s*${ADDRESS})*)\]`, 'g');

export function readRules(text: string): { rules: Rule[]; errors: string[] } {
  const rules = new Map<string, Rule>();
  const errors: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [, address, state] = RULE_LINE.exec(line) ?? [];
    if (address === undefined) continue;
    const where = `docs/behaviour.md:${index + 1}`;
    if (rules.has(address)) errors.push(`${where}  ${address} is written twice`);
    else if (state === 'built' || state === 'planned') rules.set(address, { address, state });
    else errors.push(`${where}  ${address} is neither (built) nor (planned)`);
  }
  return { rules: [...rules.values()], errors };
}

export function readCitations(file: string, text: string): Citation[] {
  const citations: Citation[] = [];
  const { program, errors } = parseSync(file, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} does not parse: ${error.message}`);
  new Visitor({
    CallExpression(node) {
      const callee = text.slice(node.callee.start, node.callee.end);
      if (!/^(it|test|describe)\b/.test(callee) || /\.(skip|todo)\b/.test(callee)) return;
      const title = titleOf(node.arguments[0]);
      const line = text.slice(0, node.start).split('\n').length;
      for (const [, list = ''] of title.matchAll(BRACKETS)) {
        for (const address of list.split(/,\s*/)) citations.push({ address, file, line });
      }
    },
  }).visit(program);
  return citations;
}

export function judge(rules: readonly Rule[], citations: readonly Citation[]): Verdict {
  const states = new Map(rules.map((rule) => [rule.address, rule.state]));
  const cited = new Set(citations.map((citation) => citation.address));
  const built = rules.filter((rule) => rule.state === 'built');
  const uncited = built.filter((rule) => !cited.has(rule.address));
  const errors = uncited.map(
    ({ address }) => `${address} is built, and no test cites it: write one, or mark it (planned)`,
  );
  const warnings: string[] = [];
  for (const { address, file, line } of citations) {
    const state = states.get(address);
    if (state === undefined) errors.push(`${file}:${line}  cites ${address}, which is no rule`);
    if (state === 'planned')
      warnings.push(
        `${file}:${line}  cites ${address}, which is marked (planned): mark it (built)?`,
      );
  }
  const summary = `${rules.length} rules: ${built.length} built (${built.length - uncited.length} cited by tests), ${rules.length - built.length} planned`;
  return { errors, warnings, summary };
}

function titleOf(argument: ESTree.Argument | undefined): string {
  if (argument?.type === 'Literal' && typeof argument.value === 'string') return argument.value;
  if (argument?.type === 'TemplateLiteral')
    return argument.quasis.map((part) => part.value.cooked ?? '').join('…');
  return '';
}
