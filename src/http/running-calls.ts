/**
 * The calls of MCP tools that wait in this isolate, by the request that made each (MCP-3). A client cancels a call with
 * another request; what that one finds here is data alone, because a platform lets no request act on what belongs to another.
 */
import { ABANDONED_REASON } from '../client/agent/ask-until-settled.ts';
import type { Transport } from '../client/transport.ts';

export interface RunningCall {
  /** Undefined before a person can see the question. */
  readonly question: () => CancellableQuestion | undefined;
  /** Noticed by the call itself once it has a question. */
  isCancelled: boolean;
}

interface CancellableQuestion {
  readonly sessionId: string;
  readonly interaction: { readonly interactionId: string };
}

export class RunningCalls {
  readonly #calls = new Map<string, RunningCall>();

  /** The returned function removes the call. */
  add(key: string, call: RunningCall): () => void {
    this.#calls.set(key, call);
    return () => {
      if (this.#calls.get(key) === call) this.#calls.delete(key);
    };
  }

  /** @param transport With the credential of the client that cancels. */
  async cancel(key: string, transport: Pick<Transport, 'cancel'>): Promise<void> {
    const call = this.#calls.get(key);
    if (call === undefined) return;
    call.isCancelled = true;
    const question = call.question();
    if (question === undefined) return;
    const { sessionId, interaction } = question;
    await transport.cancel(sessionId, interaction.interactionId, { reason: ABANDONED_REASON });
  }
}
