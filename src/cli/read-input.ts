/** Reads what an option or argument names: a file, or stdin for `-`. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CliCall } from './cli-command.ts';
import { CliError, EXIT, describeCause, usageError } from './exit-code.ts';
import { readStdin } from './terminal.ts';

/** Far more than a request may have, so that the sentence about its size can name the size. */
const MAX_BYTES = 16 * 1_024 * 1_024;

export async function readInput({ terminal }: CliCall, source: string): Promise<string> {
  if (source === '-') {
    const text = await readStdin(terminal, MAX_BYTES);
    if (text === undefined) throw tooLong('stdin');
    return text;
  }
  const file = path.resolve(terminal.cwd, source);
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES) throw tooLong(source);
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw usageError(`${source} cannot be read: ${describeCause(cause)}.`);
  }
}

export function parseJsonInput(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw usageError(`${name} is not JSON: ${describeCause(cause)}.`);
  }
}

function tooLong(name: string): CliError {
  return new CliError(`${name} has more than 16 MiB.`, EXIT.refused, 'too_large');
}
