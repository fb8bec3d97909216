/** What `npm start` says once it serves: a link that opens the chat signed in, and two commands to paste. */
import { randomBytes } from 'node:crypto';

export interface GreetingInput {
  url: string;
  /** Of a person; whoever has the link may read, answer and send. */
  token: string;
  dataDir: string;
  adminKeyFrom: 'environment' | 'file';
}

export function greeting({ url, token, dataDir, adminKeyFrom }: GreetingInput): string {
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

Open the chat, signed in (the link is yours for 30 days):

  ${url}/#token=${token}

Or be the agent yourself, and answer in the chat:

  ${key}
  ${curl(`${url}/v1/sessions`, { id: session })}
  ${curl(`${url}/v1/sessions/${session}/interactions`, approval)}

The API reference is at ${url}/docs; data is in ${dataDir}; Ctrl-C stops it.
`;
}

function curl(url: string, body: unknown): string {
  return `curl ${url} -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
}
