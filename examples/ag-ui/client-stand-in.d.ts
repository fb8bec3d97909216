/** As much of `@ag-ui/client` as the example uses; `npm run e2e:agents` runs it with the package itself. */
interface Interrupt {
  readonly id: string;
  readonly reason: string;
  readonly message?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

interface ResumeEntry {
  readonly interruptId: string;
  readonly status: 'resolved' | 'cancelled';
  readonly payload?: unknown;
}

interface Ran {
  readonly newMessages: readonly { readonly role: string; readonly content?: unknown }[];
}

export declare class HttpAgent {
  readonly pendingInterrupts: readonly Interrupt[];
  constructor(settings: {
    url: string;
    headers: Readonly<Record<string, string>>;
    threadId: string;
  });
  runAgent(run?: { resume?: readonly ResumeEntry[] }): Promise<Ran>;
}
