/**
 * The terminal that asked may answer too (CLI-3): it shows the request, reads lines, and sends them as the person of the
 * login. The first answer wins, wherever it comes from.
 *
 * An agent could otherwise answer its own question. So it needs a terminal on both sides, the credential of a file that
 * `holdpoint login` wrote and never one of the environment, and no sign of an agent's shell.
 */
import { createInterface, type Interface } from 'node:readline';
import { ClientError } from '../client/errors.ts';
import type { Transport } from '../client/transport.ts';
import { readChoices } from '../protocol/approval-choices.ts';
import type { Interaction, JsonObject } from '../protocol/types.ts';
import { agentShellOf, isBuildServer } from './agent-shell.ts';
import type { CliCall } from './cli-command.ts';
import { CliError, describeFailure } from './exit-code.ts';
import type { Part } from './printer.ts';
import { answerOf, describeSettler, fieldValue, stepAnswer } from './read-answer.ts';
import {
  readFields,
  readShownQuestions,
  linesOfQuestion,
  printRequest,
} from './show-interaction.ts';
import { loginAccess, type ServerAccess, transportOf } from './server-access.ts';

/** Why this terminal may not answer, or the access of its person. */
export async function answeringAccess(
  { terminal, isJson }: Pick<CliCall, 'terminal' | 'isJson'>,
  asking: ServerAccess,
): Promise<ServerAccess | string> {
  const { stdin, stderr, env } = terminal;
  if (isJson || stdin.isTTY !== true || stderr.isTTY !== true) return '';
  const agent = agentShellOf(env);
  if (agent !== undefined) {
    return `This shell belongs to ${agent}, so it cannot answer; a person answers in the chat.`;
  }
  if (isBuildServer(env)) return 'CI is set, so this terminal cannot answer.';
  try {
    const access = await loginAccess(terminal, asking.url);
    return access ?? 'To answer here as well, run `holdpoint login` first.';
  } catch (cause) {
    if (cause instanceof CliError) return cause.message;
    throw cause;
  }
}

/** Prompts until the interaction is settled or the signal aborts; the wait of the command prints the outcome. */
export async function answerAtTerminal(
  call: CliCall,
  access: ServerAccess,
  sessionId: string,
  opened: Interaction,
  signal: AbortSignal,
): Promise<void> {
  const transport = transportOf(access, call.terminal);
  const lines = createInterface({ input: call.terminal.stdin, terminal: false });
  const prompt = new Prompt(call, lines, signal);
  try {
    if (opened.kind !== 'question') printRequest(call.err, opened);
    let interaction = opened;
    while (interaction.status === 'open' && !signal.aborted) {
      const answer = await readTypedAnswer(prompt, interaction);
      if (answer === undefined) return;
      interaction = await send(call, transport, sessionId, interaction, answer);
    }
  } finally {
    lines.close();
    call.terminal.stdin.pause();
    transport.close();
  }
}

async function send(
  call: CliCall,
  transport: Transport,
  sessionId: string,
  interaction: Interaction,
  answer: JsonObject,
): Promise<Interaction> {
  const { interactionId, inputDigest } = interaction;
  try {
    const settled = await transport.answer(sessionId, interactionId, { ...answer, inputDigest });
    if (!settled.isMine) {
      call.err.print(`${describeSettler(settled.interaction)} was faster.`);
    }
    return settled.interaction;
  } catch (cause) {
    if (!(cause instanceof ClientError)) throw cause;
    const { message } = describeFailure(cause, call.terminal.env);
    const isMoved = cause.code === 'step_moved';
    call.err.print({
      text: isMoved ? 'Another surface answered this question; here is the next one.' : message,
      style: 'yellow',
    });
    if (
      cause.status === undefined ||
      cause.code === 'forbidden' ||
      cause.code === 'unauthenticated'
    ) {
      throw new CliError('This terminal cannot answer; the chat can.');
    }
    return transport.interaction(sessionId, interactionId);
  }
}

/** Undefined: the input ended, or the interaction did. */
async function readTypedAnswer(
  prompt: Prompt,
  interaction: Interaction,
): Promise<JsonObject | undefined> {
  switch (interaction.kind) {
    case 'question': {
      const index = interaction.current ?? 0;
      const question = readShownQuestions(interaction)[index];
      if (question === undefined) return undefined;
      for (const line of linesOfQuestion(question)) prompt.show(...line);
      const text = await prompt.ask('Answer: ');
      return text === undefined ? undefined : stepAnswer(question, index, text);
    }
    case 'form':
      return askForm(prompt, interaction);
    case 'plan_review':
      return readWords(
        prompt,
        interaction,
        'edit, clean_edit, default, or adjust and your words: ',
      );
    case 'link':
      return readWords(prompt, interaction, 'opened, done or decline: ');
    default:
      return readWords(
        prompt,
        interaction,
        readChoices(interaction.request) === undefined
          ? 'approve, or deny and a reason: '
          : 'a choice, or deny, and a reason: ',
      );
  }
}

async function readWords(
  prompt: Prompt,
  interaction: Interaction,
  label: string,
): Promise<JsonObject | undefined> {
  for (;;) {
    const text = await prompt.ask(label);
    if (text === undefined) return undefined;
    const [word = '', ...more] = text.trim().split(/\s+/);
    try {
      return answerOf(interaction, { words: more.length === 0 ? [word] : [word, more.join(' ')] });
    } catch (cause) {
      if (!(cause instanceof CliError)) throw cause;
      prompt.show({ text: cause.message, style: 'yellow' });
    }
  }
}

async function askForm(prompt: Prompt, interaction: Interaction): Promise<JsonObject | undefined> {
  const values: Record<string, JsonObject[string]> = {};
  for (const { name, title, type, choices } of readFields(interaction)) {
    const hint = choices.length > 0 ? ` (${choices.join(', ')})` : '';
    const text = await prompt.ask(`${title}${hint}: `);
    if (text === undefined) return undefined;
    if (text !== '') values[name] = fieldValue(type, text);
  }
  return { values };
}

/** Lines of a person. One that came before its prompt, as after a paste, counts for the next prompt. */
class Prompt {
  readonly #call: CliCall;
  readonly #signal: AbortSignal;
  readonly #lines: AsyncIterator<string>;

  constructor(call: CliCall, lines: Interface, signal: AbortSignal) {
    this.#call = call;
    this.#signal = signal;
    this.#lines = lines[Symbol.asyncIterator]();
  }

  show(...parts: readonly Part[]): void {
    this.#call.err.print(...parts);
  }

  /** Undefined: the input ended, or the signal aborted. */
  async ask(label: string): Promise<string | undefined> {
    if (this.#signal.aborted) return undefined;
    this.#call.err.prompt({ text: label, style: 'bold' });
    const line = await new Promise<IteratorResult<string> | undefined>((resolve, reject) => {
      this.#signal.addEventListener('abort', () => resolve(undefined), { once: true });
      this.#lines.next().then(resolve, reject);
    });
    return line === undefined || line.done === true ? undefined : line.value;
  }
}
