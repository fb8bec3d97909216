import { spawn } from 'node:child_process';

/** Runs a command with the output of this terminal and returns its exit code. */
export function run(command: string, args: readonly string[], env = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs an npm script of this repository with the Node of this process, which may differ from the Node of `npm`. */
export function runScript(name: string, args: readonly string[] = []): Promise<number> {
  const npm = process.env['npm_execpath'];
  const rest = ['run', '--silent', name, '--', ...args];
  return npm === undefined ? run('npm', rest) : run(process.execPath, [npm, ...rest]);
}
