/** The public types of sessions in the same process; see client.test-d.ts. */
import type { Transport } from 'holdpoint/client';
import { type DirectOptions, type DirectStorage, DirectTransport, memory } from 'holdpoint/direct';
import { sqliteFolder } from 'holdpoint/direct/sqlite';

memory satisfies DirectStorage;
sqliteFolder('./data') satisfies DirectStorage;

const options: DirectOptions = { storage: memory };
const holdpoint = new DirectTransport(options);
holdpoint satisfies Transport;
holdpoint.as({ scopes: ['answer'], subject: 'mia' }) satisfies Transport;
// @ts-expect-error There is no such scope.
holdpoint.as({ scopes: ['everything'] });
// @ts-expect-error A folder is made a storage first.
export const wrong: DirectOptions = { storage: './data' };
