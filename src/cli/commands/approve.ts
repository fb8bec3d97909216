/** `holdpoint approve`: may this command, or this tool with this input, run? */
import { isObject, type JsonObject } from '../../protocol/types.ts';
import { askPerson } from '../ask-person.ts';
import { type CliCall, type CliAction, parseJsonInput, readInput } from '../cli-command.ts';
import { usageError } from '../exit-code.ts';

export const approve: CliAction = (call) =>
  askPerson(call, async () => {
    const { args } = call;
    const description = args.text('description');
    const choices = args.text('choices');
    return {
      command: 'approve',
      kind: 'approval',
      toolName: args.text('tool') ?? 'Bash',
      content: {
        input: await readCallInput(call),
        ...(description !== undefined && { description }),
        ...(args.has('allow-edit') && { allowEdit: true }),
        ...(args.has('offer-session') && { offers: ['once', 'session'] }),
        ...(choices !== undefined && { choices: parseJsonInput(choices, '--choices') }),
      },
    };
  });

async function readCallInput(call: CliCall): Promise<JsonObject> {
  const { positionals, rest } = call.args;
  const input = call.args.text('input');
  if (positionals.length > 0) {
    throw usageError('Put the command after --: holdpoint approve -- make deploy');
  }
  if (input !== undefined) {
    if (rest.length > 0) throw usageError('Give either --input or a command after --.');
    const text = input === '-' ? await readInput(call, '-') : input;
    const value = parseJsonInput(text, '--input');
    if (!isObject(value)) throw usageError('--input: give a JSON object.');
    return value;
  }
  if (rest.length === 0) {
    throw usageError('What is to be approved? holdpoint approve -- make deploy');
  }
  return { command: rest.map(shellWord).join(' ') };
}

/** Quoted where a shell would read something else. */
export function shellWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
