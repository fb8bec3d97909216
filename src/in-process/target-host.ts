/** The targets of one process: what their Durable Objects are in a deployment. */
import type { TargetPorts } from '../delivery/ports.ts';
import { Target } from '../delivery/target.ts';
import type { TargetStub } from '../http/stubs.ts';
import type { Alarms } from './alarms.ts';
import type { OpenStorage } from './storage.ts';

export interface TargetHostPorts extends Omit<TargetPorts, 'store' | 'alarm'> {
  readonly storage: Pick<OpenStorage, 'target' | 'hasTarget'>;
  readonly alarms: Pick<Alarms, 'of'>;
}

/** No id of a session holds a slash. */
const ALARM_PREFIX = 'target/';

export class TargetHost {
  readonly #ports: TargetHostPorts;
  readonly #targets = new Map<string, Target>();

  constructor(ports: TargetHostPorts) {
    this.#ports = ports;
  }

  /** Made when it is missing. */
  open(id: string): Target {
    const known = this.#targets.get(id);
    if (known !== undefined) return known;
    const { storage, alarms, ...ports } = this.#ports;
    const target = new Target({
      ...ports,
      store: storage.target(id),
      alarm: alarms.of(`${ALARM_PREFIX}${id}`),
    });
    this.#targets.set(id, target);
    return target;
  }

  find(id: string): Target | undefined {
    return this.#targets.has(id) || this.#ports.storage.hasTarget(id) ? this.open(id) : undefined;
  }

  /** False for the alarm of something else. */
  async ring(name: string): Promise<boolean> {
    if (!name.startsWith(ALARM_PREFIX)) return false;
    await this.find(name.slice(ALARM_PREFIX.length))?.alarm();
    return true;
  }
}

export function targetStub(target: Target): TargetStub {
  return {
    test: () => target.test(),
    deliveries: async (page) => target.deliveries(page),
    redeliver: async (id) => target.redeliver(id),
    redeliverSince: async (what) => target.redeliverSince(what),
    answer: (id, message) => target.answer(id, message),
    answersAs: async (subject) => target.answersAs(subject),
    receiveMessage: (message) => target.receiveMessage(message),
  };
}
