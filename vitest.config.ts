import { cloudflareTest } from '@cloudflare/vitest-pool-workers';
import { playwright } from '@vitest/browser-playwright';
import { type Plugin, type TestProjectConfiguration, defineConfig } from 'vitest/config';
import { chromium } from './scripts/lib/web/chromium.ts';

/** Node cannot import SQL; in a Worker the `rules` of wrangler.toml make it a text module. */
const sqlAsText: Plugin = {
  name: 'sql-as-text',
  transform: (code, id) =>
    id.endsWith('.sql')
      ? { code: `export default ${JSON.stringify(code)};`, moduleType: 'js' }
      : undefined,
};

/** node:sqlite still announces itself as experimental, once in every test process. */
const execArgv = ['--disable-warning=ExperimentalWarning'];

/** What `npm run test:long` runs, by project: files named `*.long.test.ts`, and those that count by `run-length.ts`. */
const LONG_RUN = {
  node: [
    'test/core/properties.test.ts',
    'test/simulation/simulation.test.ts',
    'test/contract/*session-store.test.ts',
  ],
  worker: ['test/worker/session-store.test.ts', 'test/worker/race.test.ts'],
  server: ['test/server/many-sessions.test.ts', 'test/server/*.long.test.ts'],
};

export default defineConfig(async ({ mode }) => ({
  test: {
    projects: [
      {
        plugins: [sqlAsText],
        test: {
          name: 'node',
          // These tests share nothing that lasts: loading every module once for each of 150 files doubled the cost.
          isolate: false,
          include: mode === 'long' ? LONG_RUN.node : ['test/**/*.test.ts'],
          exclude: ['test/worker/**', 'test/server/**'],
          execArgv,
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                HOLDPOINT_SECRET: 'test-secret-that-is-long-enough-000000',
                HOLDPOINT_ADMIN_KEY: 'test-admin-key-000000000000000000000000',
                HOLDPOINT_RATE_LIMIT: '0',
                HOLDPOINT_TIMEOUTS: '',
                HOLDPOINT_ORIGINS: '',
                HOLDPOINT_DEMO: '1',
              },
            },
          }),
        ],
        test: {
          name: 'worker',
          include: mode === 'long' ? LONG_RUN.worker : ['test/worker/**/*.test.ts'],
          globalSetup: ['./test/worker/build-web.ts'],
        },
      },
      {
        plugins: [sqlAsText],
        test: {
          name: 'server',
          include: mode === 'long' ? LONG_RUN.server : ['test/server/**/*.test.ts'],
          exclude: mode === 'long' ? [] : ['**/*.long.test.ts'],
          globalSetup: ['./test/server/build-bundle.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          execArgv,
        },
      },
      ...(mode === 'long' ? [] : [await webProject()]),
    ],
  },
}));

async function webProject(): Promise<TestProjectConfiguration> {
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
        '@noble/hashes/sha2.js',
        '@noble/hashes/utils.js',
        'hono',
      ],
    },
    test: {
      name: 'web',
      // After the others: one of these tests measures, and a browser beside them slows all.
      sequence: { groupOrder: 1 },
      include: ['test/web/**/*.test.tsx'],
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: await chromium() }),
        instances: [{ browser: 'chromium' }],
      },
    },
  };
}
