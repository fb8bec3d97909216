/** What `npm start` says once it serves: where it is, and two commands to paste. */
import { randomBytes } from 'node:crypto';

export interface GreetingInput {
  url: string;
  dataDir: string;
  adminKeyFrom: 'environment' | 'file';
}

export function greeting({ url, dataDir, adminKeyFrom }: GreetingInput): string {
  // Fresh at each start: a fixed id would answer 409 from the second start on.
  const session = `try-${randomBytes(3).toString('hex')}`;
  const key =
    adminKeyFrom === 'environment'
      ? 'KEY=$HOLDPOINT_ADMIN_KEY'
      : `KEY=$(sed -n 's/^HOLDPOINT_ADMIN_KEY=//p' .dev.vars)`;
  const approval = {
    kind: 'approval',
    toolName: 'Bash',
    input: { command: 'rm -rf build' },
  };
  return `
Holdpoint is ready at ${url}
The API reference is at ${url}/docs; data is in ${dataDir}; Ctrl-C stops it.

Create a session, then open an approval in it:

  ${key}
  ${curl(`${url}/v1/sessions`, { id: session })}
  ${curl(`${url}/v1/sessions/${session}/interactions`, approval)}
`;
}

function curl(url: string, body: unknown): string {
  return `curl ${url} -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
}
