/**
 * Builds the API reference into one text, `dist-web/reference.bundle`, which the Worker imports: the OpenAPI document of
 * its routes, the page that is rendered from the document, and the stylesheet of the page.
 *
 * The Worker contains the finished texts, so no isolate pays for the generator or the renderer.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeApi } from '../../../src/http/openapi/describe-api.ts';
import type { HttpRoute } from '../../../src/http/route.ts';
import { renderPage } from './page.ts';

export interface ReferenceBundle {
  /** OpenAPI 3.1 as JSON. */
  readonly document: string;
  readonly page: string;
  readonly style: string;
}

export function buildReference(routes: readonly HttpRoute[], version: string): ReferenceBundle {
  const document = describeApi(routes, version);
  return {
    document: JSON.stringify(document),
    page: renderPage(document),
    style: readFileSync(path.join(import.meta.dirname, 'style.css'), 'utf8'),
  };
}
