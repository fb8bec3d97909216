import { defineConfig } from 'vitest/config';

/** A separate configuration: `npm test` does not include the stories. */
export default defineConfig({
  test: {
    name: 'e2e',
    include: ['test/e2e/**/*.story.ts'],
    globalSetup: ['test/e2e/stage/shared-server.ts'],
    reporters: ['verbose'],
    // One story at a time: they share a machine with the server and the browser they watch.
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
