/** The SDK as it is loaded at run time; types/ checks the bridge against its real types. */
import { pathToFileURL } from 'node:url';
import path from 'node:path';
import type { SdkHooks } from '../../src/integrations/claude/claude-sdk.ts';
import type { CanUseTool, OnElicitation } from '../../src/integrations/claude/index.ts';
import { SDK } from './install-sdk.ts';

export interface SdkMessage {
  readonly type: string;
  readonly subtype?: string;
  readonly result?: string;
  readonly session_id?: string;
  /** Of the result. */
  readonly stop_reason?: string | null;
}

export interface QueryOptions {
  readonly permissionMode: string;
  readonly canUseTool: CanUseTool;
  readonly onElicitation: OnElicitation;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settingSources: readonly string[];
  readonly abortController?: AbortController;
  readonly mcpServers?: Readonly<Record<string, object>>;
  readonly hooks?: SdkHooks;
  /** The session of the SDK to go on with. */
  readonly resume?: string;
}

export interface Sdk {
  query(ask: {
    prompt: string | AsyncIterable<never>;
    options: QueryOptions;
  }): AsyncGenerator<SdkMessage, void>;
}

export async function loadSdk(folder: string): Promise<Sdk> {
  const file = path.join(folder, 'node_modules', SDK, 'sdk.mjs');
  return (await import(pathToFileURL(file).href)) as Sdk;
}
