/**
 * `holdpoint/a2a`: an agent behind A2A asks people, and its task is `INPUT_REQUIRED` while they are asked.
 *
 * ```ts
 * const executor = withPeople(connect(), {
 *   async execute(request: RequestContext, bus: ExecutionEventBus, holdpoint) {
 *     const outcome = await holdpoint.approve({ toolName: 'deploy', input });
 *     if (outcome.outcome === 'approved') await deploy(outcome.updatedInput);
 *     bus.publish(completed(request));
 *   },
 * }, { handler: () => handler });
 * const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
 * ```
 *
 * The executor gets a `Holdpoint` of its task, which every other bridge takes too. Over 60 lines with its modules, because the
 * SDK ends each request at `INPUT_REQUIRED`: `asked-task.ts` makes the task go on, and `client-answer.ts` takes the answers
 * of clients.
 */
import type { Holdpoint } from '../../client/agent/holdpoint.ts';
import { type A2aBus, type A2aRequest, STATE } from './a2a-types.ts';
import { type A2aOptions, AskedTask } from './asked-task.ts';

export type { BridgeOptions } from '../fail-closed.ts';
export type * from './a2a-types.ts';
export type { A2aOptions } from './asked-task.ts';

/** An executor of the SDK that is also given the people of its task. */
export interface AskingExecutor<Request, Bus> {
  execute(request: Request, bus: Bus, holdpoint: Holdpoint): Promise<void>;
  /** Publishes the end of the task. Default: `CANCELED`. The open request is cancelled in either case. */
  cancelTask?(taskId: string, bus: Bus): Promise<void>;
}

/** An `AgentExecutor` for the request handler of the SDK. */
export function withPeople<Request extends A2aRequest, Bus extends A2aBus>(
  holdpoint: Holdpoint,
  executor: AskingExecutor<Request, Bus>,
  options: A2aOptions<Request>,
): {
  execute(request: Request, bus: Bus): Promise<void>;
  cancelTask(taskId: string, bus: Bus): Promise<void>;
} {
  // The SDK has one bus for each task of each of its users.
  const tasks = new WeakMap<Bus, AskedTask<Request>>();
  return {
    async execute(request, bus) {
      const running = tasks.get(bus);
      if (running?.isRunning === true) return running.receive(request);
      const task = new AskedTask(holdpoint, { ...options, bus, request });
      tasks.set(bus, task);
      await task.run(() => executor.execute(request, bus, holdpointOf(holdpoint, task)));
    },
    async cancelTask(taskId, bus) {
      const task = tasks.get(bus);
      const end = async () => {
        if (executor.cancelTask !== undefined) await executor.cancelTask(taskId, bus);
        else task?.publish(STATE.canceled, []);
      };
      await (task === undefined ? end() : task.cancel(end));
    },
  };
}

/** The same, but what it asks is shown in the task. */
function holdpointOf<Request extends A2aRequest>(
  holdpoint: Holdpoint,
  task: AskedTask<Request>,
): Holdpoint {
  const asking: Partial<Holdpoint> = {
    approve: (call, how) => task.ask((own) => holdpoint.approve(call, own), how),
    ask: (questions, how) => task.ask((own) => holdpoint.ask(questions, own), how),
    reviewPlan: (plan, how) => task.ask((own) => holdpoint.reviewPlan(plan, own), how),
    form: (form, how) => task.ask((own) => holdpoint.form(form, own), how),
    link: (link, how) => task.ask((own) => holdpoint.link(link, own), how),
  };
  return new Proxy(holdpoint, {
    get(target, name) {
      const value: unknown = Reflect.get(asking, name) ?? Reflect.get(target, name, target);
      // Bound, because its private fields are those of the object itself.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
