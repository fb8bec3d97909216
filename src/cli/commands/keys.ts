/** `holdpoint keys`: lists, makes and revokes the keys of the workspace; for an administrator. */
import { type HttpCalls, readPart } from '../../client/requests/http-calls.ts';
import type { CliCall, CliAction } from '../cli-command.ts';
import { EXIT, type ExitCode, usageError } from '../exit-code.ts';
import { httpCallsOf, personAccess } from '../server-access.ts';
import { describeSpan, printTable } from '../show-table.ts';

interface ShownKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export const keys: CliAction = async (call) => {
  const [action = 'list', name, more] = call.args.positionals;
  const isRight = more === undefined && (action === 'list') === (name === undefined);
  if (!isRight || !['list', 'create', 'revoke'].includes(action)) {
    throw usageError(
      'Use: holdpoint keys, holdpoint keys create NAME, or holdpoint keys revoke ID.',
    );
  }
  const calls = httpCallsOf(await personAccess(call), call.terminal);
  if (action === 'create') return createAndPrintKey(call, calls, name ?? '');
  if (action === 'revoke') return endKey(call, calls, name ?? '');
  return printKeys(call, calls);
};

async function printKeys({ out, isJson, terminal }: CliCall, calls: HttpCalls): Promise<ExitCode> {
  const all = readPart<readonly ShownKey[]>(await calls.get('/v1/keys'), 'keys');
  if (isJson) for (const key of all) out.json(key);
  else {
    const now = terminal.now();
    const rows = all.map(({ id, name, scopes, createdAt, expiresAt }) => [
      id,
      scopes.join(','),
      describeSpan(now - createdAt),
      expiresAt === null ? 'never' : `in ${describeSpan(expiresAt - now)}`,
      name,
    ]);
    printTable(out, ['KEY', 'SCOPES', 'AGE', 'EXPIRES', 'NAME'], rows);
  }
  return EXIT.ok;
}

async function createAndPrintKey(call: CliCall, calls: HttpCalls, name: string): Promise<ExitCode> {
  const { args, out, err, isJson } = call;
  const given = args.texts('scope');
  const scopes = given.length === 0 ? ['agent'] : given;
  const reply = await calls.post('/v1/keys', { name, scopes });
  const key = readPart<ShownKey>(reply, 'key');
  const secret = readPart<string>(reply, 'secret');
  if (isJson) out.json({ key, secret });
  else {
    err.print(`The key ${key.id} may: ${key.scopes.join(', ')}. It is shown once.`);
    out.print(secret);
  }
  return EXIT.ok;
}

async function endKey({ out, isJson }: CliCall, calls: HttpCalls, id: string): Promise<ExitCode> {
  await calls.change('DELETE', `/v1/keys/${encodeURIComponent(id)}`);
  if (isJson) out.json({ revoked: id });
  else out.print(`${id} is revoked, with every token made from it.`);
  return EXIT.ok;
}
