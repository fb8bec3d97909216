/**
 * The list of every way of running Holdpoint, over the built bundle under plain workerd and in the wrapper of `wrangler dev`,
 * in which objects can also leave memory while their sockets stay open. `dev.long.test.ts` has it over `npm run dev` itself.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { DIST, WRANGLER_TOML } from '../../scripts/lib/paths.ts';
import { withoutSection } from '../../scripts/lib/wrangler.ts';
import { runtimeContract, watch } from '../contract/runtime.contract.ts';
import { approval, begin, opened } from '../contract/transport/questions.ts';
import { ADMIN_KEY, BINDINGS, startServer } from '../support/http/server.ts';

const server = await startServer();
runtimeContract({
  name: 'under plain workerd',
  async start() {
    return {
      connect: () => new HttpTransport({ url: server.url, token: ADMIN_KEY }),
      restart: () => server.restart('kill'),
      end: () => server.expectUnharmed(),
    };
  },
});

const wrapper = await startWrapper();
runtimeContract({
  name: 'in the wrapper of wrangler dev',
  async start() {
    return {
      connect: wrapper.connect,
      restart: (id) => wrapper.evict(id, 'close'),
      end: async () => undefined,
    };
  },
});

it('[OPS-9, WS-1] sends the next event to a socket that stayed open while its session left memory', async () => {
  const transport = wrapper.connect();
  const id = await begin(transport);
  const screen = await watch(transport, id);
  await wrapper.evict(id, 'hibernate');
  await opened(transport, id, approval());
  await screen.until(({ events }) => events.some(({ type }) => type === 'interaction_request'));
  expect(screen.welcomes).toHaveLength(1);
  transport.close();
});

async function startWrapper() {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-wrangler-'));
  const configPath = path.join(folder, 'wrangler.toml');
  // The harness would drop each setting that `[secrets]` does not name, and build what is built already.
  const toml = withoutSection(readFileSync(WRANGLER_TOML, 'utf8'), '[secrets]');
  writeFileSync(configPath, withoutSection(toml, '[build]'));
  // Without a network, wrangler would print that it cannot reach an address.
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
  process.env['WRANGLER_SEND_METRICS'] = 'false';
  const { createTestHarness } = await import('wrangler');
  const harness = createTestHarness({
    workers: [{ configPath, prebuiltWorkerDir: DIST, secrets: BINDINGS }],
  });
  const { url } = await harness.listen();
  afterAll(async () => {
    await harness.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    connect: () => new HttpTransport({ url: url.origin, token: ADMIN_KEY }),
    async evict(id: string, webSockets: 'close' | 'hibernate') {
      const worker = harness.getWorker();
      await worker.evictDurableObject('SESSION', { name: `main/${id}`, webSockets });
      await worker.evictDurableObject('WORKSPACE', { name: 'main', webSockets });
    },
  };
}
