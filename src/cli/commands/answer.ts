/** `holdpoint answer`: a person answers an interaction; without an answer on a terminal, it asks for one. */
import type { Transport } from '../../client/transport.ts';
import { countBytes } from '../../protocol/bytes.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Interaction } from '../../protocol/types.ts';
import { agentShellOf } from '../agent-shell.ts';
import { parseReference } from '../ask-person.ts';
import { type CliCall, type CliAction, parseJsonInput } from '../cli-command.ts';
import { CliError, EXIT, type ExitCode, usageError } from '../exit-code.ts';
import { answerOf, describeSettler } from '../read-answer.ts';
import { nonEmpty, personAccess, type ServerAccess, transportOf } from '../server-access.ts';
import { explainOutcome } from '../settled-result.ts';
import { printRequest } from '../show-interaction.ts';
import { answerAtTerminal } from '../terminal-answer.ts';

export const answer: CliAction = async (call) => {
  const { args, terminal } = call;
  const [reference, ...words] = args.positionals;
  if (reference === undefined)
    throw usageError('Which interaction? `holdpoint pending` lists them.');
  const agent = agentShellOf(terminal.env);
  if (agent !== undefined) {
    throw new CliError(
      `This shell belongs to ${agent}, and the asker does not answer. Answer in the chat, or in a terminal of your own.`,
      EXIT.refused,
      'forbidden',
    );
  }
  const access = await personAccess(call);
  const transport = transportOf(access, terminal);
  try {
    const inSession = args.text('session') ?? nonEmpty(terminal.env['HOLDPOINT_SESSION']);
    const found = await findInteraction(transport, reference, inSession);
    if (found.interaction.status !== 'open') return reportSettled(call, found, false);
    const given = [...words, ...args.rest];
    const isDecline = args.has('decline');
    if (given.length === 0 && !isDecline) return await answerInDialog(call, access, found);
    const input = args.text('input');
    const content = answerOf(found.interaction, {
      words: given,
      isDecline,
      reason: args.text('reason'),
      isForSession: args.has('for-session'),
      prefix: args.text('command'),
      isEveryCommand: args.has('every-command'),
      isStop: args.has('stop'),
      ...(input !== undefined && { input: parseJsonInput(input, '--input') }),
    });
    if (countBytes(JSON.stringify(content)) > LIMITS.bodyBytes) {
      throw new CliError('The answer is longer than 256 KiB, which the server takes (413).');
    }
    const { interactionId, inputDigest } = found.interaction;
    const settled = await transport.answer(found.sessionId, interactionId, {
      ...content,
      inputDigest,
    });
    return reportSettled(call, { ...found, interaction: settled.interaction }, settled.isMine);
  } finally {
    transport.close();
  }
};

async function answerInDialog(
  call: CliCall,
  access: ServerAccess,
  found: FoundInteraction,
): Promise<ExitCode> {
  const { stdin, stderr } = call.terminal;
  if (call.isJson || stdin.isTTY !== true || stderr.isTTY !== true) {
    printRequest(call.err, found.interaction);
    throw usageError('Give the answer after the reference, for example: approve');
  }
  const over = new AbortController();
  const release = call.terminal.onInterrupt(() => over.abort());
  try {
    await answerAtTerminal(call, access, found.sessionId, found.interaction, over.signal);
  } finally {
    release();
  }
  return over.signal.aborted ? EXIT.cancelled : EXIT.ok;
}

/** An answer that came too late is a refusal: the person must not believe that it counts. */
function reportSettled(
  { out, isJson }: CliCall,
  { sessionId, interaction }: FoundInteraction,
  isMine: boolean,
): ExitCode {
  const { interactionId, status, outcome, settledBy } = interaction;
  if (isJson) out.json({ sessionId, interactionId, status, outcome, settledBy, isMine });
  else if (status === 'open')
    out.print(`Answered; the next question is ${sessionId}/${interactionId}.`);
  else if (isMine) out.print({ text: explainOutcome(interaction), isBlock: true });
  else out.print(`Too late: ${explainOutcome(interaction)}, by ${describeSettler(interaction)}.`);
  return isMine ? EXIT.ok : EXIT.refused;
}

interface FoundInteraction {
  readonly sessionId: string;
  readonly interaction: Interaction;
}

/** The number of open interactions that are looked through. */
const OPEN_PAGE = 1_000;

/** Finds an interaction by what a person copies: its reference, or its id alone if one session has it open. */
async function findInteraction(
  transport: Transport,
  text: string,
  inSession: string | undefined,
): Promise<FoundInteraction> {
  const { session = inSession, interactionId } = parseReference(text);
  const sessionId = session ?? (await findOpen(transport, interactionId));
  return { sessionId, interaction: await transport.interaction(sessionId, interactionId) };
}

async function findOpen(transport: Transport, id: string): Promise<string> {
  const { interactions } = await transport.inbox({ limit: OPEN_PAGE });
  const [first, second] = interactions.filter(({ interactionId }) => interactionId === id);
  if (first === undefined) {
    throw new CliError(
      `No session has ${id} open. If it is settled, name its session: SESSION/${id}.`,
      EXIT.refused,
      'not_found',
    );
  }
  if (second !== undefined) {
    throw new CliError(
      `Several sessions have ${id} open: ${first.sessionId}/${id}, ${second.sessionId}/${id}.`,
      EXIT.usage,
      'usage',
    );
  }
  return first.sessionId;
}
