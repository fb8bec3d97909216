/** A session with a built-in agent, whose model and tools the test plays; see `session-world.ts`. */
import type { HttpToolCall, ToolOutput } from '../../src/agent/tools/ports.ts';
import type { AgentSettings } from '../../src/protocol/schema/agent-settings.ts';
import type { EventOf, EventType, SessionEvent } from '../../src/protocol/schema/event.ts';
import type { PermissionMode, Timeouts } from '../../src/protocol/schema/session.ts';
import type { AgentPorts, SessionPorts } from '../../src/session/ports.ts';
import { admin, person } from './callers.ts';
import { ScriptedModel } from './scripted-model.ts';
import { type SessionStorage, SessionWorld } from './session-world.ts';

interface Beginning {
  readonly settings?: AgentSettings;
  readonly mode?: PermissionMode;
  readonly isConfigured?: boolean;
  readonly timeouts?: Timeouts;
  readonly readAudiences?: SessionPorts['readAudiences'];
}

/** A remote tool: it records its calls, and answers when the test lets it. */
export class FakeHttpTools {
  readonly calls: HttpToolCall[] = [];
  #answers: ((output: ToolOutput) => void)[] = [];

  call(call: HttpToolCall, signal: AbortSignal): Promise<ToolOutput> {
    this.calls.push(call);
    return new Promise((resolve) => {
      this.#answers.push(resolve);
      signal.addEventListener('abort', () => resolve({ content: 'Aborted', isError: true }), {
        once: true,
      });
    });
  }

  get isWaitedFor(): boolean {
    return this.#answers.length > 0;
  }

  answer(content: string, isError = false): void {
    const first = this.#answers.shift();
    if (first === undefined) throw new Error('No tool is waited for');
    first({ content, isError });
  }
}

export class AgentWorld extends SessionWorld {
  readonly model: ScriptedModel;
  readonly tools: FakeHttpTools;

  constructor(
    storage: SessionStorage,
    { settings = {}, mode, isConfigured = true, timeouts = {}, readAudiences }: Beginning = {},
  ) {
    const model = new ScriptedModel();
    const tools = new FakeHttpTools();
    const agent = (): AgentPorts => {
      model.abandon();
      const configured = isConfigured ? { port: model, name: 'scripted' } : undefined;
      return { model: configured, httpTools: tools, allowPrivateTools: true };
    };
    super(storage, { agent, timeouts, ...(readAudiences && { readAudiences }) });
    this.model = model;
    this.tools = tools;
    this.must(
      { type: 'session.create', agent: settings, ...(mode && { permissionMode: mode }) },
      { caller: admin() },
    );
  }

  /** A person writes; returns when all that follows by itself has ended. */
  async sendMessage(text: string) {
    const handled = this.handle({ type: 'message.send', text }, { caller: person() });
    await this.quiet();
    return handled;
  }

  async answers(interactionId: string, answer: Record<string, unknown>) {
    const handled = this.handle(
      { type: 'interaction.answer', target: { interactionId }, answer: answer as never },
      { caller: person() },
    );
    await this.quiet();
    return handled;
  }

  get openIds(): string[] {
    return [...(this.state?.open.keys() ?? [])];
  }

  ofType<T extends EventType>(type: T): EventOf<T>[] {
    return this.log().filter((event): event is EventOf<T> => event.type === type);
  }

  /** The types of the events since then, without `interaction_pending`. */
  types(after = 0): SessionEvent['type'][] {
    return this.log()
      .filter(({ seq, type }) => seq > after && type !== 'interaction_pending')
      .map(({ type }) => type);
  }

  /** The tool results of the last request to the model. */
  get lastResults() {
    const content = this.model.requests.at(-1)?.messages.at(-1)?.content ?? [];
    return content.map((block) =>
      block.type === 'tool_result'
        ? { id: block.toolUseId, content: block.content, isError: block.isError }
        : block,
    );
  }
}
