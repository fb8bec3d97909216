/** The public types of sessions in the same process; see client.test-d.ts. */
import type { Transport } from 'holdpoint/client';
import {
  type AgentModel,
  InProcessHost,
  type InProcessOptions,
  type InProcessStorage,
  memory,
} from 'holdpoint/in-process';
import { anthropic, demoModel } from 'holdpoint/in-process/anthropic';
import { sqliteFolder } from 'holdpoint/in-process/sqlite';

memory satisfies InProcessStorage;
sqliteFolder('./data') satisfies InProcessStorage;
anthropic({ apiKey: 'key', model: 'claude' }) satisfies AgentModel;

const options: InProcessOptions = { storage: memory, model: demoModel() };
const host = new InProcessHost(options);
host.transport() satisfies Transport;
host.transport({ scopes: ['answer'], subject: 'mia' }) satisfies Transport;
// @ts-expect-error There is no such scope.
host.transport({ scopes: ['everything'] });
// @ts-expect-error A folder is made a storage first.
export const wrong: InProcessOptions = { storage: './data' };
