/** Checks an export of the audit list line by line, of any length and from any source. */
import { type AuditChainCheck, readChainedLine } from '../protocol/audit-chain.ts';
import { type Json, parseJson } from '../protocol/json.ts';

/** Far longer than an entry can be; a line without an end must not fill the memory. */
const MAX_ENTRY_CHARS = 4 * 1_024 * 1_024;

/** The first problem in a sentence; undefined when the chain holds to its end. */
export async function verifyAuditLines(
  parts: AsyncIterable<Uint8Array | string>,
  check: AuditChainCheck,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let count = 0;
  const checkLine = (text: string): string | undefined => {
    count += 1;
    if (text.trim() === '') return undefined;
    const line = readChainedLine(parseLine(text));
    return line === undefined
      ? `Line ${count} is no entry of an export as JSON lines`
      : check.checkNext(line);
  };
  for await (const part of parts) {
    rest += typeof part === 'string' ? part : decoder.decode(part, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      const problem = checkLine(text);
      if (problem !== undefined) return problem;
    }
    if (rest.length > MAX_ENTRY_CHARS) return `Line ${count + 1} is too long`;
  }
  rest += decoder.decode();
  return (rest === '' ? undefined : checkLine(rest)) ?? check.checkEnd();
}

/** Strictly: of two equal names the chain covers the last, and another program may read the first. */
function parseLine(text: string): Json {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : null;
}
