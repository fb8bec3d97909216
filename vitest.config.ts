import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { type UserWorkspaceConfig, defineConfig } from 'vitest/config';
import type { BrowserCommand } from 'vitest/node';
import { ROOT, sourceFiles } from './scripts/lib/paths.ts';
import { chromium } from './scripts/lib/web/chromium.ts';

/** They only end a test that hangs: a busy machine takes twenty times as long as an idle one. */
const TEST_TIMEOUT_MS = 60_000;
const SERVER_TIMEOUT_MS = 120_000;
/** How long `expect.poll` and `expect.element` wait; their own limit of a second is too short on a busy machine. */
const POLL = { poll: { timeout: 30_000 } };

/** What `npm run test:long` runs: files named `*.long.test.ts`, and files whose counts `run-length.ts` makes larger. */
const LONG_FILES = sourceFiles(ROOT, 'test').filter(
  (file) => /\.test\.tsx?$/.test(file) && (file.includes('.long.') || countsByRunLength(file)),
);

/** CI runs `npm test` without arguments, and reads its results from this file. */
const REPORT = process.env['HOLDPOINT_TEST_REPORT'];
const resultsIn = (outputFile: string): ['json', { outputFile: string }] => [
  'json',
  { outputFile },
];

/** Tests of Node wait for servers, deadlines and processes: two more than there are cores keep these busy. */
const NODE_AT_ONCE = availableParallelism() + 2;

/** Runtimes of workerd and pages, after the other projects: one more than there are cores, because each loads all sources again. */
const PAGES_AT_ONCE = Math.min(Math.max(availableParallelism(), 2) + 1, 4);

/** The long run measures pages, so it has one, after the other projects. */
function inSharedProcesses(mode: string) {
  const isLong = mode === 'long';
  return {
    isolate: false,
    maxWorkers: isLong ? 1 : PAGES_AT_ONCE,
    sequence: { groupOrder: 1 },
  } as const;
}

function countsByRunLength(file: string): boolean {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  // The contract of a session's storage counts by it for every storage.
  return /run-length\.ts'|session\.contract\.ts'/.test(text);
}

export default defineConfig(async ({ mode }) => ({
  test: {
    maxWorkers: mode === 'long' ? availableParallelism() : NODE_AT_ONCE,
    ...(REPORT !== undefined && { reporters: ['default', resultsIn(REPORT)] }),
    projects: inMode(mode, [
      {
        test: {
          ...inNode(mode),
          name: 'node',
          include: mode === 'long' ? LONG_FILES : ['test/**/*.test.ts'],
          exclude: [...leftOut(mode), 'test/worker/**', 'test/server/**', '**/*.tsx'],
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
        },
      },
      await workerProject(mode),
      {
        test: {
          ...inNode(mode),
          name: 'server',
          include: within('test/server/', mode),
          exclude: leftOut(mode),
          globalSetup: ['./test/server/build-bundle.ts'],
          testTimeout: SERVER_TIMEOUT_MS,
          hookTimeout: SERVER_TIMEOUT_MS,
        },
      },
      await webProject(mode),
    ]),
  },
}));

const FIXED_SEED = ['./test/support/fixed-seed.ts'];

/** Compiled sources: two thirds of what a process of the tests, or a program that they start, costs before its first line. */
const COMPILED = path.join(ROOT, 'node_modules/.cache/holdpoint-tests');
enableCompileCache(COMPILED);

/** Node reads the sources as they are, as it does for `npm start`: transformed by Vite they cost half as much again. */
function inNode(mode: string): NonNullable<UserWorkspaceConfig['test']> {
  return {
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Loading each module again for each file would double the cost.
    isolate: false,
    execArgv: [
      // node:sqlite still announces itself as experimental, once in every test process.
      '--disable-warning=ExperimentalWarning',
      // Node cannot import SQL; in a Worker the `rules` of wrangler.toml make it a text module.
      '--import=./test/in-process/support/sql-as-text.js',
      '--import=./test/support/exit-when-ended.js',
    ],
    env: { HOLDPOINT_TEST_MODE: mode, NODE_COMPILE_CACHE: COMPILED },
    setupFiles: FIXED_SEED,
    expect: POLL,
  };
}

/** A project does not inherit the mode of the run, and `run-length.ts` would count short in the long run. */
function inMode(mode: string, projects: readonly UserWorkspaceConfig[]): UserWorkspaceConfig[] {
  return projects.map((project) => ({ ...project, mode }));
}

/** The files of a folder that a run takes. */
function within(folder: string, mode: string, extension = 'ts'): string[] {
  return mode === 'long'
    ? LONG_FILES.filter((file) => file.startsWith(folder) && file.endsWith(`.${extension}`))
    : [`${folder}**/*.test.${extension}`];
}

function leftOut(mode: string): string[] {
  return mode === 'long' ? [] : ['**/*.long.test.{ts,tsx}'];
}

/** wrangler.toml requires them, and wrangler looks for them in the environment. */
const WORKER_SECRETS = {
  HOLDPOINT_SECRET: 'test-secret-that-is-long-enough-000000',
  HOLDPOINT_ADMIN_KEY: 'test-admin-key-000000000000000000000000',
};

const PACKAGES_OF_WORKER = [
  '@anthropic-ai/sdk/client',
  '@anthropic-ai/sdk/core/error',
  '@block65/webcrypto-web-push',
  '@modelcontextprotocol/server',
  '@noble/hashes/hmac.js',
  '@noble/hashes/sha2.js',
  '@noble/hashes/utils.js',
  'fast-check',
  'hono/hono-base',
  'hono/router/trie-router',
  'ulid',
  'zod',
];

async function workerProject(mode: string): Promise<UserWorkspaceConfig> {
  Object.assign(process.env, WORKER_SECRETS);
  const { cloudflareTest } = await import('@cloudflare/vitest-pool-workers');
  return {
    plugins: [
      cloudflareTest({
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          bindings: {
            ...WORKER_SECRETS,
            HOLDPOINT_RATE_LIMIT: '0',
            HOLDPOINT_TIMEOUTS: '',
            HOLDPOINT_ORIGINS: '',
            HOLDPOINT_DEMO: '1',
          },
        },
      }),
    ],
    test: {
      ...inSharedProcesses(mode),
      name: 'worker',
      expect: POLL,
      include: within('test/worker/', mode),
      exclude: leftOut(mode),
      testTimeout: TEST_TIMEOUT_MS,
      hookTimeout: TEST_TIMEOUT_MS,
      globalSetup: ['./test/worker/build-web.ts'],
      setupFiles: FIXED_SEED,
      // As one module each: a package of a hundred files is sent to each runtime file by file.
      deps: { optimizer: { ssr: { enabled: true, include: PACKAGES_OF_WORKER } } },
    },
  };
}

/** A pointer stays where a test has left it, also one of another file, and a list under it holds new rows back. */
const restPointer: BrowserCommand = ({ page }) => page.mouse.move(0, 0);

async function webProject(mode: string): Promise<UserWorkspaceConfig> {
  const { playwright } = await import('@vitest/browser-playwright');
  return {
    // The tests too: only the files of src/web are told by their tsconfig.json.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    // Found while a test runs, a dependency would reload the page under it.
    optimizeDeps: {
      include: [
        'preact',
        'preact/hooks',
        'preact/jsx-runtime',
        'micromark',
        'micromark-extension-gfm',
        'axe-core',
        'zod',
        'ulid',
        '@block65/webcrypto-web-push',
        '@noble/hashes/hmac.js',
        '@noble/hashes/sha2.js',
        '@noble/hashes/utils.js',
        'hono/hono-base',
        'hono/router/trie-router',
      ],
    },
    test: {
      name: 'web',
      expect: POLL,
      include: within('test/web/', mode, 'tsx'),
      exclude: leftOut(mode),
      testTimeout: TEST_TIMEOUT_MS,
      ...inSharedProcesses(mode),
      browser: {
        enabled: true,
        isolate: false,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: await chromium() }),
        commands: { restPointer },
        instances: [{ browser: 'chromium' }],
      },
    },
  };
}
