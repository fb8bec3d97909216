/**
 * Checks the bytes of a request for everything that the Messages API refuses.
 *
 * Written from the API's documentation. It shares no code with `src/agent/validate-conversation.ts`, because a rule
 * that is misunderstood there would otherwise be misunderstood here too. It takes raw JSON and trusts nothing.
 */
interface Block {
  readonly type?: unknown;
  readonly [key: string]: unknown;
}

const NAME = /^[A-Za-z0-9_-]{1,128}$/;
const ID = /^[A-Za-z0-9_-]+$/;

/** All faults, each with its place; empty if the API would accept the request. */
export function requestFaults(body: unknown): string[] {
  if (!isRecord(body)) return ['the body is not an object'];
  const { messages, tools, model, max_tokens: maxTokens, system } = body;
  const faults: string[] = [];
  if (typeof model !== 'string' || model === '') faults.push('model: missing');
  if (!Number.isInteger(maxTokens) || Number(maxTokens) < 1) faults.push('max_tokens: not above 0');
  if (system === '') faults.push('system: empty');
  faults.push(...toolFaults(tools));
  if (!Array.isArray(messages) || messages.length === 0) return [...faults, 'messages: empty'];
  return [...faults, ...conversationFaults(messages)];
}

function toolFaults(tools: unknown): string[] {
  if (tools === undefined) return [];
  if (!Array.isArray(tools)) return ['tools: not a list'];
  const names = tools.map((tool) => (isRecord(tool) ? String(tool['name']) : ''));
  const wrong = names.filter((name, index) => !NAME.test(name) || names.indexOf(name) !== index);
  const shapeless = tools.filter((tool) => !hasObjectSchema(tool)).length;
  return [
    ...wrong.map((name) => `tools: the name "${name}" is malformed or there twice`),
    ...(shapeless > 0 ? [`tools: ${shapeless} without an object schema`] : []),
  ];
}

function hasObjectSchema(tool: unknown): boolean {
  const schema = isRecord(tool) ? tool['input_schema'] : undefined;
  return isRecord(schema) && schema['type'] === 'object';
}

function conversationFaults(messages: readonly unknown[]): string[] {
  const faults: string[] = [];
  const everUsed = new Set<string>();
  /** Calls of the last assistant message, which the next message must answer. */
  let owed: string[] = [];
  for (const [index, message] of messages.entries()) {
    const report = (fault: string) => faults.push(`messages.${index}: ${fault}`);
    const role = isRecord(message) ? message['role'] : undefined;
    const wanted = index % 2 === 0 ? 'user' : 'assistant';
    if (role !== wanted) report(`role ${String(role)} where ${wanted} has to be`);
    const blocks = blocksOf(isRecord(message) ? message['content'] : undefined);
    if (blocks.length === 0) report('no content');
    if (role === 'user') userFaults(blocks, owed, report);
    owed = role === 'assistant' ? assistantFaults(blocks, everUsed, report) : [];
  }
  if (owed.length > 0) faults.push(`the end: ${owed.join(', ')} without a result`);
  if (messages.length % 2 === 0) faults.push('the end: the assistant spoke last');
  return faults;
}

function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map((block) => (isRecord(block) ? block : {})) : [];
}

type Report = (fault: string) => void;

function userFaults(blocks: readonly Block[], owed: readonly string[], report: Report): void {
  const answered: string[] = [];
  let isAfterText = false;
  for (const block of blocks) {
    if (block.type === 'text') {
      isAfterText = true;
      if (isBlank(block['text'])) report('a text without text');
    } else if (block.type === 'tool_result') {
      const id = String(block['tool_use_id']);
      if (isAfterText) report(`the result of ${id} after text`);
      if (answered.includes(id)) report(`two results for ${id}`);
      if (!owed.includes(id)) report(`a result for ${id}, which was not called just before`);
      if (block['is_error'] === true && isBlank(resultText(block)))
        report(`an error without a word for ${id}`);
      answered.push(id);
    } else report(`a block of the type ${String(block.type)}`);
  }
  for (const id of owed) if (!answered.includes(id)) report(`no result for ${id}`);
}

function assistantFaults(
  blocks: readonly Block[],
  everUsed: Set<string>,
  report: Report,
): string[] {
  const called: string[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        if (isBlank(block['text'])) report('a text without text');
        break;
      case 'thinking':
        if (isBlank(block['signature'])) report('thinking that is not signed');
        if (called.length > 0) report('thinking after a call');
        break;
      case 'redacted_thinking':
        if (isBlank(block['data'])) report('redacted thinking without its data');
        break;
      case 'tool_use': {
        const id = String(block['id']);
        if (!ID.test(id)) report(`a malformed id ${id}`);
        if (everUsed.has(id)) report(`the id ${id} for the second time`);
        if (!isRecord(block['input'])) report(`an input that is no object for ${id}`);
        everUsed.add(id);
        called.push(id);
        break;
      }
      default:
        report(`a block of the type ${String(block.type)}`);
    }
  }
  const last = blocks.at(-1)?.type;
  if (last === 'thinking' || last === 'redacted_thinking') report('thinking at the end');
  return called;
}

export function resultText(block: Block): string {
  const { content } = block;
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content
        .map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
        .join('\n')
    : '';
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
