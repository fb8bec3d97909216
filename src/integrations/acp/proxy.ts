/**
 * Stands between an ACP client (an editor) and its agent: requests for a person go to Holdpoint, everything else passes
 * unchanged, line by line.
 *
 * 1. A permission request or a form never reaches the editor, so that no setting of the editor can allow it.
 * 2. The agent is told that forms are possible, because it asks its questions only then.
 * 3. `session/cancel` of the editor and `$/cancel_request` of the agent take questions back.
 */
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import { isObject, isText } from '../../protocol/guards.ts';
import type { JsonObject } from '../../protocol/types.ts';
import type { BridgeOptions } from '../fail-closed.ts';
import type { ElicitationRequest, PermissionRequest } from './acp-types.ts';
import { acpHandlers, type AcpHandlers } from './index.ts';

export interface ProxyPorts {
  /** Writes one line, without its end. */
  toEditor(line: string): void;
  toAgent(line: string): void;
}

interface Running {
  readonly sessionId: unknown;
  readonly controller: AbortController;
}

export class AcpProxy {
  readonly #ports: ProxyPorts;
  readonly #handlers: AcpHandlers;
  /** By the id of the agent's request, as JSON: 1 and "1" are two ids. */
  readonly #running = new Map<string, Running>();

  constructor(holdpoint: Holdpoint, ports: ProxyPorts, options: BridgeOptions = {}) {
    this.#ports = ports;
    this.#handlers = acpHandlers(holdpoint, options);
  }

  fromEditor(line: string): void {
    const message = parsedObject(line);
    if (message?.method === 'initialize') return this.#ports.toAgent(withElicitation(message));
    const { sessionId } = isObject(message?.params) ? message.params : {};
    if (message?.method === 'session/cancel') this.#abort((one) => one.sessionId === sessionId);
    this.#ports.toAgent(line);
  }

  fromAgent(line: string): void {
    const value = parsed(line);
    // ACP has no batches; a client that read one all the same could find a request in it.
    if (Array.isArray(value)) return this.#refuse(null, -32_600, 'ACP has no batches');
    const message = isObject(value) ? value : undefined;
    const { id, method } = message ?? {};
    const params = isObject(message?.params) ? message.params : {};
    if (method === '$/cancel_request') {
      const running = this.#running.get(JSON.stringify(params.requestId));
      if (running !== undefined) return running.controller.abort();
    }
    if (method !== 'session/request_permission' && method !== 'elicitation/create') {
      return this.#ports.toEditor(line);
    }
    if (id === undefined) return;
    void this.#answer(id, method, params);
  }

  async #answer(id: unknown, method: string, params: JsonObject): Promise<void> {
    const controller = new AbortController();
    const key = JSON.stringify(id);
    this.#running.set(key, { sessionId: params.sessionId, controller });
    try {
      const { signal } = controller;
      const result =
        method === 'session/request_permission'
          ? await this.#handlers.requestPermission({ params: permissionOf(params), signal })
          : await this.#handlers.createElicitation({
              params: params as unknown as ElicitationRequest,
              signal,
            });
      this.#ports.toAgent(JSON.stringify({ jsonrpc: '2.0', id, result }));
    } catch (cause) {
      this.#refuse(id, -32_602, cause instanceof Error ? cause.message : 'Invalid parameters');
    } finally {
      this.#running.delete(key);
    }
  }

  #refuse(id: unknown, code: number, message: string): void {
    this.#ports.toAgent(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }

  #abort(isMeant: (one: Running) => boolean): void {
    for (const one of this.#running.values()) if (isMeant(one)) one.controller.abort();
  }
}

/** Throws if the request lacks what a decision is about. */
function permissionOf(params: JsonObject): PermissionRequest {
  const { sessionId, toolCall, options } = params;
  const isWhole =
    isText(sessionId) &&
    isObject(toolCall) &&
    isText(toolCall.toolCallId) &&
    Array.isArray(options) &&
    options.every(
      (option) =>
        isObject(option) && isText(option.optionId) && isText(option.name) && isText(option.kind),
    );
  if (!isWhole) throw new TypeError('The permission request is not one of ACP version 1');
  return params as unknown as PermissionRequest;
}

function withElicitation(message: JsonObject): string {
  const params = isObject(message.params) ? message.params : {};
  const capabilities = isObject(params.clientCapabilities) ? params.clientCapabilities : {};
  const elicitation = { form: {}, url: {} };
  return JSON.stringify({
    ...message,
    params: { ...params, clientCapabilities: { ...capabilities, elicitation } },
  });
}

function parsedObject(line: string): JsonObject | undefined {
  const value = parsed(line);
  return isObject(value) ? value : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
