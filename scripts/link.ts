/**
 * `npm run link`: prints a link that opens the chat of the local server, signed in for a day.
 *
 * Off a terminal it prints the link alone, for `open "$(npm run --silent link)"`.
 */
import path from 'node:path';
import { agentShellOf } from '../src/cli/agent-shell.ts';
import { runningServer } from './lib/data-lock.ts';
import { fail } from './lib/fail.ts';
import { nameNote } from './lib/greeting.ts';
import { makePersonToken } from './lib/local-credentials.ts';
import { SETTINGS_FILE } from './lib/paths.ts';
import { readSettings } from './lib/settings.ts';

try {
  const agent = agentShellOf(process.env);
  if (agent !== undefined)
    fail(
      `This shell belongs to ${agent}, and the link is a person's. Run it in a terminal of your own.`,
    );
  const { dataDir, bindings, person } = readSettings(process.env, SETTINGS_FILE, 'read secrets');
  const url = runningServer(path.resolve(dataDir));
  if (url === undefined)
    fail(`No server runs over ${path.resolve(dataDir)}. Start it with \`npm start\`.`);
  const adminKey = bindings['HOLDPOINT_ADMIN_KEY'] ?? '';
  const { token } = await makePersonToken({ url, adminKey }, person.name);
  const link = `${url}/#token=${token}`;
  console.log(
    process.stdout.isTTY
      ? `
${link}

It signs in as ${person.name}, for a day${nameNote(person, '; ')}. The same person for curl:

  export HOLDPOINT_URL=${url} HOLDPOINT_TOKEN=${token}
`
      : link,
  );
} catch (error) {
  fail(error);
}
