/**
 * `npm start`: builds the bundle and serves it under plain workerd until it is told to stop.
 *
 * Everything that can be refused is refused before workerd starts, in one line.
 */
import path from 'node:path';
import { buildBundle } from './lib/build-bundle.ts';
import { lockDataFolder } from './lib/data-lock.ts';
import { fail } from './lib/fail.ts';
import { greeting } from './lib/greeting.ts';
import { DEV_VARS } from './lib/paths.ts';
import { personToken } from './lib/person-token.ts';
import { nextFreePort, portState } from './lib/ports.ts';
import { type Settings, readSettings } from './lib/settings.ts';
import { startWorkerd } from './workerd.ts';

const FIRST_PORT = 8787;
const PARENT_CHECK_MS = 200;

try {
  await serve(readSettings(process.env, DEV_VARS));
} catch (error) {
  fail(error);
}

async function serve(settings: Settings): Promise<void> {
  const dataDir = path.resolve(settings.dataDir);
  const port = await choosePort(settings);
  const lock = lockDataFolder(dataDir);
  process.once('exit', () => lock.release());

  // From here on being told to stop ends in a clean stop, also while the bundle is still being built.
  const asked = toldToStop();
  const built = await Promise.race([asked, buildBundle()]);
  if (built === 'asked') process.exit(0);
  const workerd = await startWorkerd({
    dataDir,
    port,
    host: settings.host,
    bindings: settings.bindings,
    showOutput: true,
    // Tools and model gateways of somebody who tries this are on their own machine.
    allowPrivateNetwork: settings.bindings['HOLDPOINT_PRIVATE_TOOLS'] === '1',
  });
  lock.add(workerd.pid);
  const { HOLDPOINT_ADMIN_KEY: adminKey = '' } = settings.bindings;
  const token = await personToken(workerd.url, adminKey);
  console.log(greeting({ ...settings, url: workerd.url, token }));

  const ended = await Promise.race([asked, workerd.exited]);
  if (ended !== 'asked')
    fail(`workerd ended by itself (${ended.signal ?? `exit code ${ended.code}`}).`);
  await workerd.stop();
  console.log('Stopped.');
  process.exit(0);
}

function toldToStop(): Promise<'asked'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => resolve('asked'));
    // A signal to npm ends npm and its shell and never gets here: only our parent has changed.
    if (process.env['npm_lifecycle_event'] === undefined) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) resolve('asked');
    }, PARENT_CHECK_MS).unref();
  });
}

async function choosePort({ host, port }: Settings): Promise<number> {
  if (port === undefined) return nextFreePort(host, FIRST_PORT);
  const state = await portState(host, port);
  switch (state) {
    case 'free':
      return port;
    case 'busy':
      return fail(`Port ${port} is busy: stop what listens there, or choose another with PORT.`);
    case 'forbidden':
      return fail(`Port ${port} may not be opened by this user: choose one above 1023 with PORT.`);
    case 'no such host':
      return fail(`${host} is not an address of this machine: choose another with HOST.`);
  }
}
