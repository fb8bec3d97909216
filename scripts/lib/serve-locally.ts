/**
 * Runs one server over one data folder, from the first check to the stop: the part of `npm start` around workerd.
 *
 * 1. The folder is locked before the first write and until after the last.
 * 2. The admin key leaves the process only in requests to the server that this process started.
 * 3. A stop takes under a second, however many clients are connected.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWorkerd } from '../workerd.ts';
import { activityLine } from './activity-line.ts';
import { checkSchema } from './check-schema.ts';
import { lockDataFolder } from './data-lock.ts';
import { FloodGate } from './output-lines.ts';
import { greeting } from './greeting.ts';
import { keepRunning } from './keep-running.ts';
import {
  type LocalServer,
  type PersonToken,
  keepAgentToken,
  makePersonToken,
  revokeToken,
} from './local-credentials.ts';
import { fileLimit, lowLimitWarning, watchOpenFiles } from './open-files.ts';
import { nextFreePort, portState } from './ports.ts';
import { DATA_FILES } from './private-files.ts';
import { type Settings, bindingsOf } from './settings.ts';

const FIRST_PORT = 8787;
const PARENT_CHECK_MS = 200;

/** Ends the process with code 0 after a stop signal, and throws a sentence for the terminal when it cannot continue. */
export async function serveLocally(settings: Settings, build: () => Promise<void>): Promise<never> {
  const dataDir = path.resolve(settings.dataDir);
  const { port, note: portNote } = await choosePort(settings);
  const lock = await lockDataFolder(dataDir);
  process.once('exit', () => lock.release());
  checkSchema(dataDir);

  // From here on a signal leads to a clean stop, even during the build of the bundle.
  const stopAsked = waitForStop();
  const built = await Promise.race([stopAsked, build()]);
  if (built === 'stop') process.exit(0);

  const say = (line: string) => console.error(line);
  const complaints = new FloodGate(say, Date.now);
  // A separate gate, so that a busy day does not drop error lines.
  const activity = new FloodGate((line) => console.log(line), Date.now);
  const showLine = (line: string) => {
    const drawn = activityLine(line);
    if (drawn === undefined) complaints.take(line);
    else activity.take(drawn);
  };
  const isTerminal = process.stdout.isTTY;
  const bindings = bindingsOf(settings, isTerminal ? 'on a terminal' : 'as a service');
  let pid = -1;
  const start = async () => {
    const started = await startWorkerd({
      dataDir,
      port,
      host: settings.host,
      bindings,
      showLine,
      allowPrivateNetwork: bindings['HOLDPOINT_PRIVATE_TOOLS'] === '1',
    });
    ({ pid } = started);
    lock.nameServer(pid, started.url);
    return started;
  };

  const adminKey = settings.bindings['HOLDPOINT_ADMIN_KEY'] ?? '';
  let link: PersonToken | undefined;
  const greet = async ({ url }: { url: string }) => {
    const { person } = settings;
    const agentTokenFile = path.join(dataDir, DATA_FILES.agentToken);
    await keepAgentToken({ url, adminKey }, agentTokenFile);
    if (isTerminal) link = await makePersonToken({ url, adminKey }, person.name);
    const warning = lowLimitWarning(fileLimit());
    if (warning !== undefined) say(warning);
    console.log(greeting({ url, portNote, token: link?.token, person, agentTokenFile, dataDir }));
    watchOpenFiles(() => pid, say);
  };

  const last = await keepRunning({ start, greet, stopAsked, sleep, now: Date.now, say });
  if (last !== undefined) {
    if (link !== undefined) await endLink({ url: last.url, adminKey }, link, say);
    await last.stop();
  }
  activity.reportDropped();
  complaints.reportDropped();
  console.log('Stopped.');
  process.exit(0);
}

/** The printed link is valid only while this server runs: a leaked link must not work after the next start. */
async function endLink(
  server: LocalServer,
  { id }: PersonToken,
  say: (line: string) => void,
): Promise<void> {
  try {
    await revokeToken(server, id);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(`The printed link could not be revoked and works for the rest of its day: ${reason}`);
  }
}

function waitForStop(): Promise<'stop'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => resolve('stop'));
    // A signal to npm ends npm and its shell but does not reach this process; only its parent changes.
    if (process.env['npm_lifecycle_event'] === undefined) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) resolve('stop');
    }, PARENT_CHECK_MS).unref();
  });
}

async function choosePort({
  host,
  port,
}: Settings): Promise<{ port: number; note: string | undefined }> {
  if (port === undefined) {
    const found = await nextFreePort(host, FIRST_PORT);
    const note = found === FIRST_PORT ? undefined : `${FIRST_PORT} is busy, using ${found}`;
    return { port: found, note };
  }
  const state = await portState(host, port);
  switch (state) {
    case 'free':
      return { port, note: undefined };
    case 'busy':
      throw new Error(
        `Port ${port} is busy: stop what listens there, or choose another with PORT.`,
      );
    case 'forbidden':
      throw new Error(
        `Port ${port} may not be opened by this user: choose one above 1023 with PORT.`,
      );
    case 'no such host':
      throw new Error(`${host} is not an address of this machine: choose another with HOST.`);
  }
}
