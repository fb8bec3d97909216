/** Follows a live subscription until Ctrl-C, a reader that has enough, or its end. */
import type { ConnectionStatus } from '../client/transport.ts';
import type { CliCall } from './cli-command.ts';
import { CliError, EXIT, type ExitCode } from './exit-code.ts';

interface Live {
  close(): void;
}

/** `begin` subscribes and passes on each status; a lost connection is said once for each time. */
export async function followUntilEnd(
  { terminal, err }: CliCall,
  begin: (status: (status: ConnectionStatus) => void) => Live,
): Promise<ExitCode> {
  let isAway = false;
  let live: Live | undefined;
  let release = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      release = terminal.onInterrupt(() => resolve());
      live = begin((status) => {
        if (status.type === 'closed') {
          if (status.error === undefined) resolve();
          else reject(status.error);
        }
        if (status.type === 'waiting' && !isAway)
          err.print('The connection is lost; trying again.');
        if (status.type === 'live' && isAway) err.print('Connected again.');
        if (status.type === 'waiting') isAway = true;
        if (status.type === 'live') isAway = false;
        if (status.type === 'paused' && status.reason === 'unauthenticated') {
          reject(signedOut());
        }
      });
    });
    return EXIT.ok;
  } finally {
    release();
    live?.close();
  }
}

function signedOut(): CliError {
  return new CliError(
    'The server does not accept this credential (any more). `holdpoint doctor` says which one it is.',
    EXIT.refused,
    'unauthenticated',
  );
}
