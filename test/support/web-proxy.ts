/** A server in front of the real one, which can disappear, and which can serve another version of the chat. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface WebProxy {
  readonly url: string;
  /** Every connection is refused. */
  goDown(): void;
  comeBack(): void;
  /** The page and the worker have this version from now on. */
  deploy(version: string): void;
  /** The paths that were requested since the last call. */
  requested(): string[];
}

export async function startWebProxy(target: string): Promise<WebProxy> {
  let isDown = false;
  let version: string | undefined;
  let paths: string[] = [];
  const own = /content="(\w+)"/.exec(await (await fetch(target)).text())?.[1] ?? '';

  const serve = async (path: string, headers: Record<string, string>, to: ServerResponse) => {
    const response = await fetch(target + path, { headers, redirect: 'manual' });
    const isVersioned = path === '/' || path === '/inbox' || path === '/sw.js';
    const kept = [...response.headers].filter(
      ([name]) => !['content-encoding', 'content-length', 'transfer-encoding'].includes(name),
    );
    const isChanged = isVersioned && version !== undefined;
    to.writeHead(
      response.status,
      Object.fromEntries(kept.filter(([name]) => !isChanged || name !== 'etag')),
    );
    if (!isChanged) return to.end(Buffer.from(await response.arrayBuffer()));
    return to.end((await response.text()).replaceAll(own, version ?? own));
  };
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (isDown) return void request.socket.destroy();
    paths.push(path);
    const { authorization } = request.headers;
    const headers = authorization === undefined ? {} : { authorization };
    serve(path, headers, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    goDown() {
      isDown = true;
      server.closeAllConnections();
    },
    comeBack() {
      isDown = false;
    },
    deploy(next) {
      version = next;
    },
    requested() {
      const before = paths;
      paths = [];
      return before;
    },
  };
}
