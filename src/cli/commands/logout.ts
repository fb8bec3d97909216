/** `holdpoint logout`: removes the login of this machine, and revokes its token if the person may. */
import { ClientError } from '../../client/errors.ts';
import type { CliAction } from '../cli-command.ts';
import { CliError, EXIT } from '../exit-code.ts';
import { readLogin, removeLogin } from '../credential-files.ts';
import { httpCallsOf } from '../server-access.ts';

export const logout: CliAction = async ({ terminal, out, isJson }) => {
  const login = await readLogin(terminal).catch((cause: unknown) => {
    // A file that cannot be trusted is removed all the same; its token is not sent anywhere.
    if (cause instanceof CliError) return undefined;
    throw cause;
  });
  await removeLogin(terminal);
  const isRevoked = login !== undefined && (await tryRevoke());
  const note =
    login === undefined || isRevoked
      ? ''
      : ` Its token stays valid until ${new Date(login.expiresAt).toISOString()}; an administrator can revoke ${login.id}.`;
  if (isJson) out.json({ url: login?.url, id: login?.id, isRevoked });
  else
    out.print(login === undefined ? 'Nobody is logged in.' : `Logged out of ${login.url}.${note}`);
  return EXIT.ok;

  async function tryRevoke(): Promise<boolean> {
    if (login === undefined) return false;
    const calls = httpCallsOf({ ...login, from: 'login', isLogin: true }, terminal);
    try {
      await calls.change('DELETE', `/v1/tokens/${encodeURIComponent(login.id)}`);
      return true;
    } catch (cause) {
      if (cause instanceof ClientError) return false;
      throw cause;
    }
  }
};
