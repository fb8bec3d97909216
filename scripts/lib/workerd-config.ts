/**
 * Writes the configuration with which plain workerd serves a bundle.
 *
 * It is the counterpart of wrangler.toml. Plain workerd has no rate limit binding, so RATE_LIMIT is absent and the Worker
 * counts requests itself. Values of bindings are not in the text: workerd reads them from its environment, so no secret
 * reaches a file.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WRANGLER_TOML } from './paths.ts';
import type { DurableObjectClass, WorkerBundle } from './worker-bundle.ts';

export interface ConfigInput {
  bundle: WorkerBundle;
  /** The folder of the configuration file: workerd resolves embedded modules relative to it. */
  configDir: string;
  storageDir: string;
  address: string;
  bindingNames: readonly string[];
  allowPrivateNetwork: boolean;
  /** The address of a service in place of all push services; undefined: they are on the internet. */
  pushService: string | undefined;
}

/**
 * For new objects, twice. V8 begins with less, and collects it over and over while it reads the code of the Worker, with little
 * to free: a twentieth of the processor time of a start. A flag that V8 does not know ends workerd at once.
 */
const YOUNG_SPACE_MB = 4;

export function workerdConfig(input: ConfigInput): string {
  const { durableObjects } = input.bundle;
  // workerd judges the address that a name was looked up to, so no name leads the Worker into a private network.
  const reachable = input.allowPrivateNetwork ? '"public", "private"' : '"public"';
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
 v8Flags = ["--min-semi-space-size=${YOUNG_SPACE_MB}"],
 services = [
  (name = "main", worker = .holdpoint),
  (name = "internet", network = (allow = [${reachable}], tlsOptions = (trustBrowserCas = true))),
  ${pushServices(input)},
  (name = "disk", disk = (path = ${quote(input.storageDir)}, writable = true)),
  ${list(durableObjects.flatMap((object) => filesService(object, input.storageDir)))}
 ],
 sockets = [(name = "http", address = ${quote(input.address)}, http = (), service = "main")],
);
const holdpoint :Workerd.Worker = (
 modules = [
  ${modules(input).join(',\n  ')},
 ],
 ${compatibility()},
 durableObjectNamespaces = [
  ${list(durableObjects.map(namespace))}
 ],
 durableObjectStorage = (localDisk = "disk"),
 bindings = [
  ${list([...durableObjects.map(objectBinding), ...durableObjects.flatMap(filesBinding), PUSH_BINDING, ...input.bindingNames.map(textBinding)])}
 ],
);
`;
}

const PUSH_BINDING = '(name = "PUSH_SERVICES", service = "push")';

/** A network of its own: the setting that opens private addresses to tools and targets does not open them here. */
function pushServices({ pushService }: ConfigInput): string {
  return pushService === undefined
    ? '(name = "push", network = (allow = ["public"], tlsOptions = (trustBrowserCas = true)))'
    : `(name = "push", external = (address = ${quote(pushService)}, http = ()))`;
}

/** workerd refuses a list that starts with a comma. */
function list(items: readonly string[]): string {
  return items.map((item) => `${item},`).join('\n  ');
}

function modules({ bundle, configDir }: ConfigInput): string[] {
  return bundle.modules.map(({ name, kind, file }) => {
    const embedded = path.relative(configDir, file).split(path.sep).join('/');
    return `(name = ${quote(name)}, ${kind} = embed ${quote(embedded)})`;
  });
}

function compatibility(): string {
  const toml = readFileSync(WRANGLER_TOML, 'utf8');
  const date = /^compatibility_date\s*=\s*"([^"]+)"/m.exec(toml)?.[1];
  if (date === undefined) throw new Error('wrangler.toml has no compatibility_date.');
  const flags = /^compatibility_flags\s*=\s*(\[[^\]]*\])/m.exec(toml)?.[1] ?? '[]';
  return `compatibilityDate = ${quote(date)},\n compatibilityFlags = ${flags}`;
}

function namespace(object: DurableObjectClass): string {
  return `(className = ${quote(object.className)}, uniqueKey = ${quote(object.uniqueKey)}, enableSql = true)`;
}

function objectBinding(object: DurableObjectClass): string {
  return `(name = ${quote(object.binding)}, durableObjectNamespace = ${quote(object.className)})`;
}

/** A disk service is read-only by default. */
function filesService({ filesBinding, uniqueKey }: DurableObjectClass, storageDir: string) {
  if (filesBinding === undefined) return [];
  const folder = path.join(storageDir, uniqueKey);
  return [`(name = ${quote(filesBinding)}, disk = (path = ${quote(folder)}))`];
}

function filesBinding({ filesBinding }: DurableObjectClass): string[] {
  if (filesBinding === undefined) return [];
  return [`(name = ${quote(filesBinding)}, service = ${quote(filesBinding)})`];
}

function textBinding(name: string): string {
  return `(name = ${quote(name)}, fromEnvironment = ${quote(name)})`;
}

/** A Cap'n Proto text literal has the escapes of C; JSON's are the same for what a path can hold. */
function quote(text: string): string {
  return JSON.stringify(text);
}
