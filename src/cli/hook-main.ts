/**
 * `holdpoint hook` as a process: one request, and the end. Whatever that request does not settle is for the whole command,
 * which is loaded only then.
 *
 * `node:http` and not `fetch`, which takes longer to load and to end than the request itself.
 */
import { request as requestPlainly } from 'node:http';
import { homedir } from 'node:os';
import { Readable } from 'node:stream';
import { type QuickReply, type QuickRequest, askQuickly } from './quick-hook.ts';
import { findAgentAccess } from './server-access.ts';

/** As long as a hook may be; the whole command says so in words. */
const QUICK_MAX_BYTES = 16 * 1_024 * 1_024;
const REPLY_MAX_BYTES = 32 * 1_024 * 1_024;
const QUICK_MS = 10_000;
/** Options of the server are for the whole command. */
const WITHOUT_OPTIONS = { text: () => undefined, has: () => false };

const argv = process.argv.slice(2);
const chunks: Buffer[] = [];
let bytes = 0;
for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
  bytes += chunk.length;
  // One more byte is kept, so that the whole command sees that there is too much.
  if (bytes <= QUICK_MAX_BYTES + chunk.length) chunks.push(chunk);
}
const given = Buffer.concat(chunks);
const result =
  bytes > QUICK_MAX_BYTES ? { argv } : await askQuickly(argv, given.toString('utf8'), postHook);
if ('output' in result) {
  // The end of the process waits for nothing but the output.
  process.stdout.write(`${result.output.trim()}\n`, () => process.exit(0));
} else {
  const [{ runProcess }, { HOOK_COMMAND }] = await Promise.all([
    import('./run-process.ts'),
    import('./command-help/hook-command.ts'),
  ]);
  const stdin = Object.assign(Readable.from([given]), { isTTY: false });
  await runProcess(result.argv, [HOOK_COMMAND], stdin);
}

async function postHook({ path, body }: QuickRequest): Promise<QuickReply> {
  const terminal = { env: process.env, home: homedir(), cwd: process.cwd() };
  const access = await findAgentAccess({ args: WITHOUT_OPTIONS, terminal });
  if (access === undefined) throw new Error('No credential');
  const url = new URL(access.url.replace(/\/+$/, '') + path);
  const request = url.protocol === 'https:' ? (await import('node:https')).request : requestPlainly;
  const headers = {
    Authorization: `Bearer ${access.token}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, agent: false, timeout: QUICK_MS } as const;
    const sent = request(url, options, (reply) => {
      const parts: Buffer[] = [];
      let size = 0;
      reply.on('error', reject);
      reply.on('data', (part: Buffer) => {
        size += part.length;
        if (size > REPLY_MAX_BYTES) reply.destroy(new Error('The reply is too long'));
        else parts.push(part);
      });
      reply.on('end', () => {
        resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error('No reply')));
    sent.on('error', reject);
    sent.end(body);
  });
}
