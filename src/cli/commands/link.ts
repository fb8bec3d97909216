/** `holdpoint link`: an address that opens the chat, the inbox or a session, signed in as the person of the credential. */
import { readPart, sessionPath } from '../../client/requests/http-calls.ts';
import type { CliAction } from '../cli-command.ts';
import { EXIT, usageError } from '../exit-code.ts';
import { httpCallsOf, personAccess } from '../server-access.ts';
import { parseTimeout } from '../ask-person.ts';

export const link: CliAction = async (call) => {
  const { args, terminal, out, isJson } = call;
  const [target = 'chat', more] = args.positionals;
  if (more !== undefined) throw usageError('Name one of chat, inbox, or a session.');
  const access = await personAccess(call);
  const calls = httpCallsOf(access, terminal);
  const session = target === 'chat' || target === 'inbox' ? undefined : target;
  const isAlone = args.has('only') && session !== undefined;
  const seconds = parseTimeout(args.text('ttl') ?? '1d', '--ttl');
  if (seconds === null) throw usageError('--ttl none: a link always ends; 30d is possible.');
  const wanted = args.texts('scope');
  const reply = await calls.post(isAlone ? sessionPath(session, 'tokens') : '/v1/tokens', {
    scopes: wanted.length === 0 ? ['read', 'answer', 'send'] : wanted,
    ttlSeconds: seconds,
    ...(args.has('name') && { subject: args.text('name') }),
  });
  const fragment = new URLSearchParams({
    ...(session !== undefined && { session }),
    token: readPart<string>(reply, 'token'),
  });
  const base = access.url.replace(/\/+$/, '');
  const address = `${base}/${target === 'inbox' ? 'inbox' : ''}#${fragment.toString()}`;
  const expiresAt = readPart<number>(reply, 'expiresAt');
  if (isJson) out.json({ url: address, id: readPart(reply, 'id'), expiresAt });
  else out.print(address);
  return EXIT.ok;
};
