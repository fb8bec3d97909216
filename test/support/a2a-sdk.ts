/**
 * The server side of `@a2a-js/sdk` 1.3.0 as far as a bridge depends on it, because the package is not installed here.
 *
 * 1. A request runs the executor, and saves and returns what is published on the bus of its task until a message or one of the
 *    states that end a request, `INPUT_REQUIRED` among them. What is published while no request reads is lost.
 * 2. A message to a task needs that task, not ended; it is appended to the history before the executor runs.
 * 3. The bus closes with the executor, unless the task is interrupted. A rejected executor ends its task as failed.
 * 4. A stream must begin with the task, which may not follow later.
 *
 * `npm run e2e:agents -- a2a a2a-kept` runs the bridge with the package itself.
 */
import type * as a2a from '../../src/integrations/a2a/index.ts';

const LAST = [3, 4, 5, 6, 7];
const TERMINAL = [3, 4, 5, 7];

type Listener = (event: a2a.A2aEvent) => void;

export class Bus implements a2a.A2aBus {
  readonly #listeners = new Set<Listener>();
  readonly queues = new Set<Queue>();
  publish(event: a2a.A2aEvent): void {
    for (const listener of this.#listeners) listener(structuredClone(event));
  }
  on(_name: 'event', listener: Listener): this {
    this.#listeners.add(listener);
    return this;
  }
  off(_name: 'event', listener: Listener): this {
    this.#listeners.delete(listener);
    return this;
  }
}

export interface Task extends a2a.A2aTask {
  status: a2a.A2aStatus;
  history: a2a.A2aMessage[];
}

export interface Executor {
  execute(request: a2a.A2aRequest, bus: Bus): Promise<void>;
  cancelTask(taskId: string, bus: Bus): Promise<void>;
}

/** The tasks of one user; another user has a handler of their own over the same executor. */
export class RequestHandler implements a2a.A2aHandler {
  readonly #executor: Executor;
  readonly tasks: Map<string, Task>;
  readonly #buses = new Map<string, Bus>();

  constructor(executor: Executor, tasks = new Map<string, Task>()) {
    this.#executor = executor;
    this.tasks = tasks;
  }

  task(taskId: string): Task {
    const task = this.tasks.get(taskId);
    if (task === undefined) throw new Error(`Task not found: ${taskId}`);
    return structuredClone(task);
  }

  async sendMessage(params: a2a.A2aMessageToSend, context: object): Promise<Task> {
    let first: Task | undefined;
    for await (const { task } of this.#events(params, context)) {
      first = task;
      if (params.configuration?.returnImmediately === true) break;
    }
    if (first === undefined) throw new Error('Execution finished without a result');
    return first;
  }

  /** The kinds of what a stream yields. */
  async *sendMessageStream(
    params: a2a.A2aMessageToSend,
    context: object,
  ): AsyncGenerator<a2a.A2aEvent> {
    let count = 0;
    for await (const { event } of this.#events(params, context)) {
      count += 1;
      if ((event.kind === 'task') !== (count === 1)) throw new Error(`${event.kind} out of order`);
      yield event;
    }
  }

  async cancelTask(taskId: string): Promise<Task> {
    this.task(taskId);
    const bus = this.#buses.get(taskId);
    if (bus === undefined) throw new Error('No bus');
    const queue = new Queue(bus);
    await this.#executor.cancelTask(taskId, bus);
    for await (const event of queue.events()) this.#save(taskId, event);
    const task = this.task(taskId);
    if (task.status.state !== 5) throw new Error(`Task not cancelable: ${taskId}`);
    return task;
  }

  async *#events(
    { message }: a2a.A2aMessageToSend,
    context: object,
  ): AsyncGenerator<{ event: a2a.A2aEvent; task: Task }> {
    if (message === undefined) throw new Error('message is required');
    await Promise.resolve();
    const stored = this.#stored(message);
    const taskId = stored?.id ?? `task-${this.tasks.size + 1}`;
    const contextId = stored?.contextId ?? 'context';
    const userMessage = { ...message, taskId, contextId };
    const bus = this.#buses.get(taskId) ?? new Bus();
    this.#buses.set(taskId, bus);
    const queue = new Queue(bus);
    this.#execute({ taskId, contextId, context, task: stored, userMessage }, bus);
    const drained = this.#drain(taskId, queue, userMessage);
    for await (const event of drained) yield { event, task: this.task(taskId) };
  }

  #stored({ taskId, contextId, ...message }: a2a.A2aMessage): Task | undefined {
    if (taskId === '') return undefined;
    const task = this.task(taskId);
    if (TERMINAL.includes(task.status.state))
      throw new Error(`Task ${taskId} is in a terminal state`);
    if (contextId !== '' && contextId !== task.contextId) throw new Error('contextId mismatch');
    task.history.push({ taskId, contextId, ...message });
    this.tasks.set(taskId, structuredClone(task));
    return task;
  }

  #execute(request: a2a.A2aRequest, bus: Bus): void {
    let state = 0;
    const listen: Listener = ({ data }) => {
      state = (Reflect.get(data, 'status') as a2a.A2aStatus | undefined)?.state ?? state;
    };
    bus.on('event', listen);
    void this.#executor
      .execute(request, bus)
      .catch((cause: unknown) => {
        const text = { content: { $case: 'text', value: String(cause) } };
        const status = { state: 4, message: { parts: [text] }, timestamp: undefined };
        const { taskId: id, contextId } = request;
        bus.publish({ kind: 'task', data: { id, contextId, status, history: [] } });
        bus.publish({ kind: 'statusUpdate', data: { taskId: id, contextId, status } });
      })
      .finally(() => {
        bus.off('event', listen);
        if (state === 6) return;
        this.#buses.delete(request.taskId);
        for (const queue of bus.queues) queue.stop();
      });
  }

  /** Goes on in the background when its reader has left. */
  async *#drain(taskId: string, queue: Queue, message: a2a.A2aMessage) {
    const waiting: a2a.A2aEvent[] = [];
    let wake = () => {};
    let isOver = false;
    void (async () => {
      for await (const event of queue.events()) {
        this.#save(taskId, event, message);
        waiting.push(event);
        wake();
      }
      isOver = true;
      wake();
    })();
    for (;;) {
      const event = waiting.shift();
      if (event !== undefined) yield event;
      else if (isOver) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  #save(taskId: string, { kind, data }: a2a.A2aEvent, message?: a2a.A2aMessage): void {
    const before = this.tasks.get(taskId);
    if (kind === 'task') {
      const task = data as Task;
      const history = task.history.length > 0 ? task.history : (before?.history ?? []);
      const isThere =
        message === undefined || history.some((one) => one.messageId === message.messageId);
      this.tasks.set(taskId, { ...task, history: isThere ? history : [message, ...history] });
      return;
    }
    if (before === undefined || kind !== 'statusUpdate') return;
    if (TERMINAL.includes(before.status.state)) return;
    const { status } = data as { status: a2a.A2aStatus };
    const isNew = ({ messageId }: a2a.A2aMessage) =>
      before.history.every((one) => one.messageId !== messageId);
    const said = [status.message].filter((one) => one !== undefined).filter(isNew);
    this.tasks.set(taskId, { ...before, status, history: [...before.history, ...said] });
  }
}

class Queue {
  readonly #bus: Bus;
  readonly #events: a2a.A2aEvent[] = [];
  #wake = () => {};
  #isStopped = false;

  constructor(bus: Bus) {
    this.#bus = bus;
    bus.queues.add(this);
    bus.on('event', this.#take);
  }

  readonly #take: Listener = (event) => {
    this.#events.push(event);
    this.#wake();
  };

  stop(): void {
    this.#isStopped = true;
    this.#bus.off('event', this.#take);
    this.#bus.queues.delete(this);
    this.#wake();
  }

  async *events(): AsyncGenerator<a2a.A2aEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event === undefined) {
        if (this.#isStopped) return;
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      yield event;
      const { state = 0 } = (Reflect.get(event.data, 'status') ?? {}) as Partial<a2a.A2aStatus>;
      const isLast =
        event.kind === 'message' || (event.kind === 'statusUpdate' && LAST.includes(state));
      if (isLast) return this.stop();
    }
  }
}
