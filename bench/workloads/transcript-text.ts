/**
 * A transcript of Claude Code as the program writes it, identical in every run: turns of a prompt, thinking, text, and
 * tool calls with their results.
 *
 * A line has about 600 bytes beside its content. A result stands in its line twice, as the model reads it and as the tool
 * gave it.
 */
const START = 1_800_000_000_000;
const SESSION = '59f78a55-5042-4f71-ba0c-dffaae154a71';
/** Quotes, line feeds and letters beyond ASCII, as in the output of tools. */
const OUTPUT = 'src/build.ts:12:  const folder = "dist"; // older than the sources — é\n';
/** Entries of a turn: start, prompt, then thinking, text, three calls and three results, end. */
const CALLS = 3;

export interface TranscriptSize {
  readonly entries: number;
  /** Of text in a result; other texts have half of it. */
  readonly resultChars: number;
}

export function transcriptText({ entries, resultChars }: TranscriptSize): string {
  const lines = new TranscriptLines();
  const prose = repeatTo(OUTPUT, resultChars / 2);
  const output = repeatTo(OUTPUT, resultChars);
  for (let turn = 0, made = 0; made < entries; turn += 1, made += 5 + 2 * CALLS) {
    lines.addUser({ content: `Turn ${turn}: ${prose}` });
    lines.addAssistant(turn, { type: 'thinking', thinking: prose, signature: 'EpAC'.repeat(64) });
    lines.addAssistant(turn, { type: 'text', text: prose });
    for (let call = 0; call < CALLS; call += 1) {
      const id = `toolu_${turn}_${call}`;
      const input = { command: `grep -rn "build" src/${call}`, description: prose };
      lines.addAssistant(turn, { type: 'tool_use', id, name: 'Bash', input });
      lines.addUser({
        content: [{ tool_use_id: id, type: 'tool_result', content: output, is_error: false }],
        toolUseResult: { stdout: output, stderr: '', interrupted: false, isImage: false },
      });
    }
  }
  return lines.text;
}

class TranscriptLines {
  text = '';
  #count = 0;

  addUser({ content, ...rest }: { readonly content: unknown; readonly toolUseResult?: object }) {
    this.#add({ type: 'user', message: { role: 'user', content }, ...rest });
  }

  addAssistant(turn: number, block: object): void {
    const usage = { input_tokens: 4, cache_read_input_tokens: 18_211, output_tokens: 312 };
    const message = {
      model: 'claude-opus-5-5',
      id: `msg_${turn}`,
      type: 'message',
      role: 'assistant',
      content: [block],
      stop_reason: null,
      usage,
    };
    this.#add({ message, requestId: `req_${turn}`, type: 'assistant' });
  }

  #add(line: object): void {
    const uuid = uuidOf(this.#count);
    const parentUuid = this.#count === 0 ? null : uuidOf(this.#count - 1);
    const timestamp = new Date(START + this.#count * 1_000).toISOString();
    const place = { cwd: '/home/mia/work', sessionId: SESSION, version: '2.1.326' };
    const about = { userType: 'external', entrypoint: 'cli', ...place, gitBranch: 'main' };
    const whole = { parentUuid, isSidechain: false, ...line, uuid, timestamp, ...about };
    this.text += `${JSON.stringify(whole)}\n`;
    this.#count += 1;
  }
}

function uuidOf(line: number): string {
  return `8fe6e348-ca17-4a81-a5c7-${String(line).padStart(12, '0')}`;
}

function repeatTo(text: string, chars: number): string {
  return text.repeat(Math.ceil(chars / text.length)).slice(0, chars);
}
