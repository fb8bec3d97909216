/** The list of every way of running Holdpoint, over the host in this process and a folder. */
import { rmSync } from 'node:fs';
import { InProcessHost } from '../../src/in-process/index.ts';
import { sqliteFolder } from '../../src/in-process/sqlite.ts';
import { runtimeContract } from '../contract/runtime.contract.ts';
import { makeFolder } from './support/folder.ts';

runtimeContract({
  name: 'in this process',
  async start() {
    const folder = makeFolder();
    let host = new InProcessHost({ storage: sqliteFolder(folder) });
    return {
      connect: () => host.transport(),
      async restart() {
        host.close();
        host = new InProcessHost({ storage: sqliteFolder(folder) });
      },
      async end() {
        host.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
});
