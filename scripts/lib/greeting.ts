/**
 * The greeting that `npm start` prints once it serves: how a person signs in, and how an agent connects.
 *
 * Off a terminal the greeting goes to a journal or a build log, which other people read, so it contains no link. It
 * names only the file of the agent's key, so that the key appears in no scrollback and on no screenshot.
 */
import { randomBytes } from 'node:crypto';
import type { PersonName } from './person-name.ts';
import { shellWord } from './shell-command.ts';

export interface GreetingInput {
  readonly url: string;
  /** Why the server uses another port than the default, if it does. */
  readonly portNote: string | undefined;
  /** The sign-in link of the person at the terminal; undefined off a terminal. */
  readonly token: string | undefined;
  readonly person: PersonName;
  readonly agentTokenFile: string;
  readonly dataDir: string;
}

export function greeting(input: GreetingInput): string {
  const { url, portNote, agentTokenFile, dataDir } = input;
  // Fresh at each start: a fixed id would answer 409 from the second start on.
  const session = `try-${randomBytes(3).toString('hex')}`;
  const approval = { kind: 'approval', toolName: 'Bash', input: { command: 'rm -rf build' } };
  return `
Holdpoint is ready at ${url}${portNote === undefined ? '' : ` (${portNote})`}

${forPerson(input)}

An agent reads two variables. In another terminal, paste them:

  export HOLDPOINT_URL=${url} HOLDPOINT_TOKEN=$(cat ${shellWord(agentTokenFile)})

and be the agent yourself; answer in the chat:

  ${curl('/v1/sessions', { id: session, title: 'Try it' })}
  ${curl(`/v1/sessions/${session}/interactions`, approval)}

The API reference is at ${url}/docs; data is in ${dataDir}; Ctrl-C stops it.
`;
}

function forPerson({ url, token, person }: GreetingInput): string {
  if (token === undefined)
    return `\`npm run link\` prints a link that opens the chat, signed in for a day.`;
  return `Open the chat, signed in as ${person.name} (for a day, or until this server is stopped${nameNote(person, '; ')}):

  ${url}/#token=${token}`;
}

/** Empty where the name is the person's own. */
export function nameNote({ from }: PersonName, before: string): string {
  return from === 'nothing' ? `${before}HOLDPOINT_NAME=… sets another name` : '';
}

function curl(path: string, body: unknown): string {
  return `curl $HOLDPOINT_URL${path} -H "Authorization: Bearer $HOLDPOINT_TOKEN" -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
}
