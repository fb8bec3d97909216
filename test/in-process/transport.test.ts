/** [TRN-2] The suite of all transports, over the HTTP application in this process. */
import { rmSync } from 'node:fs';
import { InProcessHost } from '../../src/in-process/index.ts';
import { sqliteFolder } from '../../src/in-process/sqlite.ts';
import { type InProcessStorage, memory } from '../../src/in-process/storage.ts';
import { transportContract, type TransportFixture } from '../contract/transport.contract.ts';
import { makeFolder } from './support/folder.ts';

function fixture(
  name: string,
  storage: () => InProcessStorage,
  clean: () => void = () => undefined,
): TransportFixture {
  return {
    name,
    async make() {
      // A subscriber in the suite throws on purpose.
      const warn = () => undefined;
      const host = new InProcessHost({ storage: storage(), warn });
      const transport = host.transport();
      return {
        transport,
        agent: host.transport({ subject: 'agent', scopes: ['agent', 'read'] }),
        another: () => host.transport({ subject: 'another', scopes: ['admin'] }),
        async end() {
          host.close();
          clean();
        },
      };
    },
  };
}

transportContract(fixture('HttpTransport in this process, in memory', () => memory));

const folder = makeFolder();
transportContract(
  fixture(
    'HttpTransport in this process, in a folder',
    () => sqliteFolder(folder),
    () => rmSync(folder, { recursive: true, force: true }),
  ),
);
