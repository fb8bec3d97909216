/** [TRN-2] The suite of all transports, over the session core in this process. */
import { rmSync } from 'node:fs';
import { DirectTransport } from '../../src/direct/index.ts';
import { sqliteFolder } from '../../src/direct/sqlite.ts';
import type { DirectStorage } from '../../src/direct/storage.ts';
import { memory } from '../../src/direct/memory.ts';
import { transportContract, type TransportFixture } from '../contract/transport.contract.ts';
import { makeFolder } from './support/folder.ts';

function fixture(
  name: string,
  storage: () => DirectStorage,
  clean: () => void = () => undefined,
): TransportFixture {
  return {
    name,
    async make() {
      // One subscriber of the suite throws on purpose.
      const warn = () => undefined;
      const transport = new DirectTransport({ storage: storage(), warn });
      return {
        transport,
        agent: transport.as({ subject: 'agent', scopes: ['agent', 'read'] }),
        another: () => transport.as({ subject: 'another', scopes: ['admin'] }),
        async end() {
          transport.close();
          clean();
        },
      };
    },
  };
}

transportContract(fixture('DirectTransport in memory', () => memory));

const folder = makeFolder();
transportContract(
  fixture(
    'DirectTransport in a folder',
    () => sqliteFolder(folder),
    () => rmSync(folder, { recursive: true, force: true }),
  ),
);
