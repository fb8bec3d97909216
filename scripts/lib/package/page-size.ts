/**
 * Measures how much of the package a page loads, bundled for a browser, minified and compressed.
 *
 * A page first loads the code that shows a session and sends answers. Parts that most pages never need are loaded on
 * demand: server-sent events for networks that block WebSockets, the stream of one message (a timeline shows the same),
 * the inbox calls, and an agent's wait for an outcome.
 */
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Plugin, build } from 'esbuild';
import { PACKAGE, ROOT } from '../paths.ts';

export interface Size {
  readonly what: string;
  /** Compressed, as one file. */
  readonly bytes: number;
}

/** All a page needs to show a session and to answer in it. */
export const PAGE = 'what a page loads to begin with';
const TIMELINE = 'emptyTimeline, foldDelta, foldEvents, withoutPreviews';
const REPLICA = 'emptyReplica, foldLog, foldWelcome, isTyping, isWaitingForPerson, statusOf';
const SCREEN = `{ HttpTransport, ClientError, ${REPLICA}, ${TIMELINE} }`;

export async function pageSizes(): Promise<Size[]> {
  return [
    { what: PAGE, bytes: await sizeOf(SCREEN) },
    { what: 'with all of it that is loaded when it is needed', bytes: await sizeOf(SCREEN, []) },
    { what: 'the transport alone', bytes: await sizeOf('{ HttpTransport }') },
    { what: 'the timeline alone', bytes: await sizeOf(`{ ${TIMELINE} }`) },
    { what: 'the replica alone', bytes: await sizeOf(`{ ${REPLICA} }`) },
    { what: 'all there is, for agents and scripts too', bytes: await sizeOf('*', []) },
  ];
}

/** Bundlers put dynamic imports into files of their own. */
const later: Plugin = {
  name: 'later',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path: to }) =>
      kind === 'dynamic-import' ? { path: to, external: true } : undefined,
    );
  },
};

async function sizeOf(names: string, plugins: Plugin[] = [later]): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export ${names} from ${JSON.stringify(path.join(PACKAGE, 'client.js'))}`,
      resolveDir: ROOT,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    plugins,
  });
  return outputFiles.reduce(
    (sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length,
    0,
  );
}
