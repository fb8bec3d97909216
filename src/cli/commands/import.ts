/** `holdpoint import`: the transcript of Claude Code or Codex as the history of a session. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { importTranscript } from '../../client/import-transcript.ts';
import {
  TRANSCRIPT_PROVIDERS,
  type TranscriptProvider,
} from '../../integrations/transcripts/transcript-reader.ts';
import type { CliSession } from '../../protocol/types.ts';
import { findAgentIds } from '../agent-shell.ts';
import type { CliCall, CliAction } from '../cli-command.ts';
import { CliError, EXIT, usageError } from '../exit-code.ts';
import { isRefusedWith, planSession } from '../find-session.ts';
import { agentAccess, nonEmpty, transportOf } from '../server-access.ts';
import { findTranscript, readTranscriptFile, transcriptFolders } from '../transcript-file.ts';

const SHOWN_WARNINGS = 10;

export const importFile: CliAction = async (call) => {
  const { args, terminal, out, err, isJson } = call;
  const file = await fileOf(call);
  const provider = readProvider(args.text('provider'));
  const {
    session: cli,
    entries,
    warnings,
    warningCount,
  } = await readTranscriptFile(file, provider);
  if (cli === undefined) throw usageError(`${file} does not say which conversation it is.`);
  for (const { line, what } of warnings.slice(0, SHOWN_WARNINGS)) {
    if (!isJson) err.print({ text: `line ${line}: ${what}`, style: 'yellow' });
  }
  if (warningCount > SHOWN_WARNINGS && !isJson)
    err.print(`and ${warningCount - SHOWN_WARNINGS} more lines`);
  const transport = transportOf(await agentAccess(call), terminal);
  try {
    const named = args.text('session') ?? nonEmpty(terminal.env['HOLDPOINT_SESSION']);
    const wish = { named, cli, cwd: cli.cwd ?? terminal.cwd, title: args.text('title') };
    const { session = '' } = await planSession(transport, wish);
    const extent = await importTranscript(transport, session, cli, entries, {
      onPage: (count) => {
        if (!isJson && count < entries.length) err.print(`${count} of ${entries.length} entries`);
      },
    });
    const { provider: program, cliSessionId } = cli;
    if (isJson)
      out.json({ session, provider: program, cliSessionId, ...extent, warnings: warningCount });
    else out.print(`${extent.entries} entries of ${program}:${cliSessionId} are in ${session}.`);
    return EXIT.ok;
  } catch (cause) {
    throw isRefusedWith(cause, 'cli_session_taken')
      ? ownedElsewhereError(cli, cause.details?.session)
      : cause;
  } finally {
    transport.close();
  }
};

function ownedElsewhereError({ provider, cliSessionId }: CliSession, owner: unknown): CliError {
  const whose =
    typeof owner === 'string' ? ` ${owner}; import it there with --session ${owner}` : '';
  return new CliError(
    `The conversation ${provider}:${cliSessionId} belongs to the session${whose}.`,
    EXIT.refused,
    'cli_session_taken',
  );
}

/** A file; else the id of a conversation; else the conversation in whose shell this runs. */
async function fileOf({ args, terminal }: CliCall): Promise<string> {
  const [given, more] = args.positionals;
  if (more !== undefined) throw usageError('Name one file, or the id of one conversation.');
  const { cli } = findAgentIds(terminal.env, terminal.cwd, args.text('cli-session'));
  const name = given ?? cli?.cliSessionId;
  if (name === undefined) {
    throw usageError('Which transcript? Name a file, or the id of a conversation.');
  }
  const file = path.resolve(terminal.cwd, name);
  if (given !== undefined && (await isFile(file))) return file;
  const found = await findTranscript(terminal, name);
  if (found !== undefined) return found;
  const folders = Object.values(transcriptFolders(terminal)).join(' and ');
  throw usageError(
    `There is no file ${name}, and no transcript of a conversation ${name} below ${folders}.`,
  );
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}

function readProvider(text: string | undefined): TranscriptProvider | undefined {
  if (text === undefined) return undefined;
  const provider = TRANSCRIPT_PROVIDERS.find((one) => one === text);
  if (provider === undefined)
    throw usageError(`--provider ${text}: use ${TRANSCRIPT_PROVIDERS.join(' or ')}.`);
  return provider;
}
