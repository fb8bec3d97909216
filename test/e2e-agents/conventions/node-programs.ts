/** Programs in Node as the agents of a convention, bundled beside the real packages. */
import path from 'node:path';
import { bundleExample } from '../../support/bundle-example.ts';
import type { AgentStage } from '../agent-stage.ts';
import type { ProgramOf } from '../convention.ts';
import { installPackages, type Pins } from '../install-packages.ts';

/** An example of this repository, unchanged: it begins anew after it was killed. */
export async function prepareExample(name: string, pins: Pins): Promise<ProgramOf> {
  const file = await bundleProgram(name, `examples/${name}/agent.ts`, pins);
  return (_scene, prompt) => ({ file: process.execPath, args: [file, prompt] });
}

/** An example of this repository that is no agent. */
export function bundleClient(name: string, pins: Pins): Promise<string> {
  return bundleProgram(name, `examples/${name}/client.ts`, pins);
}

/** A program that keeps its state in a file, and goes on with it. */
export async function prepareKept(name: string, pins: Pins, stage: AgentStage): Promise<ProgramOf> {
  const file = await bundleProgram(name, `test/e2e-agents/kept/${name}.js`, pins);
  return (scene, prompt) => ({
    file: process.execPath,
    args: [file, prompt, path.join(stage.folder, `${scene}.kept`)],
  });
}

/** Any program, beside the packages that are installed under this name. */
export async function bundleProgram(name: string, entry: string, pins: Pins): Promise<string> {
  const folder = path.join(installPackages(name, pins), 'example');
  const external = Object.keys(pins).flatMap((pin) => [pin, `${pin}/*`]);
  return (await bundleExample(entry, { folder, external })).file;
}
