/**
 * The image, without Docker: the files that .dockerignore lets into a build, and of these the files that the Dockerfile copies into
 * the image. A bug here is an image that does not start, or that serves an old bundle.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { freePort } from '../../scripts/lib/ports.ts';

const DOCKERFILE = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
const [, BUILD = '', IMAGE = ''] = DOCKERFILE.split(/^FROM .*$/m);
/** The folder of the image and of its build. */
const WORKDIR = '/holdpoint/';

let built: string;
beforeAll(() => {
  built = mkdtempSync(path.join(tmpdir(), 'holdpoint-image-build-'));
  for (const name of sentToBuild())
    cpSync(path.join(ROOT, name), path.join(built, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(built, 'node_modules'));
  if (!BUILD.includes('RUN npm run build')) throw new Error('The image builds nothing');
  const { status, stderr } = spawnSync(process.execPath, ['scripts/run.js', 'build'], {
    cwd: built,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const [, chosen] = /^RUN (mkdir .*)$/m.exec(BUILD) ?? [];
  if (chosen === undefined) throw new Error('The image takes all of node_modules/@cloudflare');
  execFileSync('sh', ['-c', chosen], { cwd: built });
  return () => rmSync(built, { recursive: true, force: true });
});

/** `*` leaves everything out, and each `!name` lets one in again. */
function sentToBuild(): string[] {
  const lines = readFileSync(path.join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines[0] !== '*' || !lines.slice(1).every((line) => /^![\w.-]+$/.test(line)))
    throw new Error('.dockerignore has other patterns than "*" and "!name"');
  return lines.slice(1).map((line) => line.slice(1));
}

/** An empty folder with what the COPY lines name, and the environment of the ENV line. */
function makeImage() {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-image-'));
  const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-image-data-'));
  onTestFinished(() => {
    for (const one of [folder, dataDir]) rmSync(one, { recursive: true, force: true });
  });
  for (const [, names = ''] of IMAGE.matchAll(/^COPY --from=build (.*)$/gm)) {
    const words = names.split(' ');
    const to = words.pop() ?? '';
    for (const from of words) {
      const into = path.join(folder, to, to.endsWith('/') ? path.basename(from) : '');
      if (!from.startsWith(WORKDIR)) throw new Error(`${from} is not in ${WORKDIR}`);
      cpSync(path.join(built, from.slice(WORKDIR.length)), into, {
        recursive: true,
        dereference: true,
      });
    }
  }
  const [, settings = ''] = /^ENV (.*)$/m.exec(IMAGE) ?? [];
  const env = Object.fromEntries(
    settings
      .replaceAll('/data', dataDir)
      .split(' ')
      .map((pair) => pair.split('=')),
  ) as Record<string, string>;
  return { folder, dataDir, env: { ...env, PATH: '/usr/bin:/bin' } };
}

/** A JSON list after CMD, as the image and its health check run it. */
function commandAfter(before: RegExp): string[] {
  const [, list = ''] = new RegExp(`${before.source}(\\[.*\\])$`, 'm').exec(IMAGE) ?? [];
  const [node, ...args] = JSON.parse(list) as string[];
  if (node !== 'node') throw new Error(`${list} does not run Node`);
  return args;
}

async function startImage(image: ReturnType<typeof makeImage>) {
  const port = await freePort();
  const env = { ...image.env, PORT: String(port) };
  const child = spawn(process.execPath, commandAfter(/^CMD /), { cwd: image.folder, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  return {
    output: () => output,
    async ready() {
      while (!output.includes('Ctrl-C stops it.') && child.exitCode === null) await sleep(20);
      return output;
    },
    health: () => spawnSync(process.execPath, commandAfter(/^HEALTHCHECK .* CMD /), { env }).status,
    async stop() {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
    ended: async () => (await exited)[0],
  };
}

it('[OPS-7] starts from the copied files alone, without a build, and finds its secrets again', async () => {
  const image = makeImage();
  const builtAt = statSync(path.join(image.folder, 'dist/worker.js')).mtimeMs;
  const first = await startImage(image);
  expect(await first.ready()).toContain('Holdpoint is ready at');
  expect(first.health()).toBe(0);
  expect(await first.stop()).toBe(0);
  expect(first.health()).toBe(1);
  const settings = path.join(image.dataDir, 'settings.env');
  const secrets = readFileSync(settings, 'utf8');
  const agent = readFileSync(path.join(image.dataDir, 'agent-token'), 'utf8');
  expect(statSync(settings).mode & 0o777).toBe(0o600);

  const second = await startImage(image);
  await second.ready();
  expect(await second.stop()).toBe(0);
  expect(readFileSync(settings, 'utf8')).toBe(secrets);
  expect(readFileSync(path.join(image.dataDir, 'agent-token'), 'utf8')).toBe(agent);
  expect(statSync(path.join(image.folder, 'dist/worker.js')).mtimeMs).toBe(builtAt);
});

it('[OPS-7] takes workerd alone of its packages of Cloudflare', () => {
  const { folder } = makeImage();
  const taken = readdirSync(path.join(folder, 'node_modules/@cloudflare'));
  expect(taken).toEqual([expect.stringMatching(/^workerd-linux-/)]);
});

it('[OPS-10] refuses receivers on private networks', async () => {
  const image = makeImage();
  const started = await startImage(image);
  const [, url = ''] = /ready at (http:\S+)/.exec(await started.ready()) ?? [];
  const settings = parseEnv(readFileSync(path.join(image.dataDir, 'settings.env'), 'utf8'));
  const target = { type: 'webhook', name: 'inside', url: 'http://127.0.0.1:9/hook' };
  const response = await fetch(`${url}/v1/targets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${settings['HOLDPOINT_ADMIN_KEY']}` },
    body: JSON.stringify(target),
  });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('url');
  await started.stop();
});

it('[OPS-7] serves no bundle that is older than a source', async () => {
  const image = makeImage();
  writeFileSync(path.join(image.folder, 'src/worker.ts'), 'export default {};');
  const started = await startImage(image);
  expect(await started.ended()).toBe(1);
  // Nothing in the image could build.
  expect(started.output()).toContain('wrangler');
  expect(started.output()).not.toContain('is ready');
});
