/** The exit codes that a script branches on, and the sentence for every failure (CLI-1). */
import { describeUnreachable } from '../client/agent/not-asked.ts';
import { ClientError } from '../client/errors.ts';
import { isText, type Outcome } from '../protocol/types.ts';

export const EXIT = {
  /** Approved, answered, or done. */
  ok: 0,
  /** Refused by the server, or by this program. */
  refused: 1,
  usage: 2,
  unreachable: 3,
  denied: 10,
  expired: 11,
  cancelled: 12,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure with its own sentence and exit code. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  readonly code: string;

  constructor(message: string, exitCode: ExitCode = EXIT.refused, code = 'refused') {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}

export function usageError(message: string): CliError {
  return new CliError(message, EXIT.usage, 'usage');
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
}

/** Every failure of a command, in words that say what to do. */
export function describeFailure(cause: unknown, env: NodeJS.ProcessEnv): Failure {
  if (cause instanceof CliError) {
    const { code, message, exitCode } = cause;
    return { code, message, exitCode };
  }
  if (!(cause instanceof ClientError)) {
    return { code: 'failed', message: describeCause(cause), exitCode: EXIT.refused };
  }
  const { code } = cause;
  switch (code) {
    case 'unreachable':
      return { code, message: describeUnreachableHere(cause, env), exitCode: EXIT.unreachable };
    case 'not_holdpoint':
    case 'protocol_mismatch':
      return { code, message: cause.message, exitCode: EXIT.unreachable };
    case 'session_interrupted':
      return { code, message: refusalSentence(cause), exitCode: EXIT.cancelled };
    case 'aborted':
      return { code, message: 'Cancelled.', exitCode: EXIT.cancelled };
    default:
      return { code, message: refusalSentence(cause), exitCode: EXIT.refused };
  }
}

function refusalSentence({ code, message, details }: ClientError): string {
  const text = `${message.replace(/[.\s]+$/, '')}.`;
  switch (code) {
    case 'unauthenticated':
      return `${text} Run \`holdpoint doctor\` to see which credential this is; \`holdpoint login\` stores a new one for a person.`;
    case 'forbidden': {
      const scopes = Array.isArray(details?.scopes) ? details.scopes.filter(isText).join(', ') : '';
      const wanted = scopes === '' ? '' : ` A credential with the scope ${scopes} may.`;
      return `${text}${wanted} Run \`holdpoint doctor\` to see which credential this is.`;
    }
    case 'rate_limited':
      return `${text} Wait a moment and run the command again.`;
    default:
      return text;
  }
}

function describeUnreachableHere(cause: ClientError, env: NodeJS.ProcessEnv): string {
  if (env['CODEX_SANDBOX_NETWORK_DISABLED'] === '1') {
    return 'The sandbox of Codex lets no command reach the network, not even this machine. Start Codex with `-c sandbox_workspace_write.network_access=true`.';
  }
  return `${describeUnreachable(cause)} \`holdpoint doctor\` checks both.`;
}

export function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

export function exitCodeOf(outcome: Outcome | null): ExitCode {
  switch (outcome) {
    case 'approved':
    case 'answered':
      return EXIT.ok;
    case 'denied':
      return EXIT.denied;
    case 'expired':
      return EXIT.expired;
    default:
      // Cancelled or replaced by a newer request; an unknown outcome of a newer server allows nothing either.
      return EXIT.cancelled;
  }
}
