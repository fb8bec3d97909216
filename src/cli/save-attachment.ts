/** Saves a file that a person attached to a message or an answer: `holdpoint log SESSION --attachment ID --out FILE`. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CliCall } from './cli-command.ts';
import { CliError, EXIT, type ExitCode, usageError } from './exit-code.ts';
import { agentAccess, findPersonAccess, transportOf } from './server-access.ts';

export async function saveAttachment(
  call: CliCall,
  session: string,
  attachmentId: string,
): Promise<ExitCode> {
  const { args, terminal, out, isJson } = call;
  const file = args.text('out');
  if (file === undefined) throw usageError('Name the file to write: --out screen.png.');
  const access = (await findPersonAccess(call)) ?? (await agentAccess(call));
  const transport = transportOf(access, terminal);
  try {
    const bytes = await transport.attachedFile(session, attachmentId);
    const target = path.resolve(terminal.cwd, file);
    await writeNew(target, bytes);
    if (isJson) out.json({ file: target, bytes: bytes.byteLength });
    else out.print(target);
    return EXIT.ok;
  } finally {
    transport.close();
  }
}

/** A name that another person chose must not replace a file of this machine. */
async function writeNew(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(file, bytes, { flag: 'wx' });
  } catch (cause) {
    const { code } = cause as { readonly code?: unknown };
    if (code === 'EEXIST') {
      throw new CliError(`${file} is there already, and stays as it is. Name another file.`);
    }
    throw cause;
  }
}
