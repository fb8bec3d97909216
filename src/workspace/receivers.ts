/**
 * The targets of a workspace, and the devices of its people, which are targets too: every change of one, and its way to the
 * object of the target.
 */
import type { DisabledState } from '../delivery/ports.ts';
import type { ReadResult, Rejection } from '../protocol/errors.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { CreateDevice, DeviceView } from '../protocol/schema/device.ts';
import type { VapidKeys } from '../protocol/schema/surfaces/push.ts';
import type { TargetView } from '../protocol/schema/target.ts';
import * as devices from './devices.ts';
import type { Maintenance } from './maintenance.ts';
import type { CreateTargetInput, TargetChanges, TargetMaker, WorkspacePorts } from './ports.ts';
import type { TargetOutbox } from './target-outbox.ts';
import * as targets from './targets.ts';

interface ReceiversPorts extends WorkspacePorts {
  readonly outbox: TargetOutbox;
  readonly maintenance: Maintenance;
}

export class Receivers {
  readonly #ports: ReceiversPorts;

  constructor(ports: ReceiversPorts) {
    this.#ports = ports;
  }

  /** With the same id, a repeated request finds the target that the first one created. */
  async createTarget(
    input: CreateTargetInput,
    maker: TargetMaker,
    name?: string,
  ): Promise<ReadResult<targets.CreatedTarget>> {
    const id = `tgt_${name ?? this.#ports.freshId()}`;
    return this.#change(id, (outbox) =>
      targets.createTarget(this.#ports, outbox, input, { maker, id }),
    );
  }

  targets(): TargetView[] {
    return this.#ports.outbox.targets().map(targets.viewTarget);
  }

  target(id: string): ReadResult<TargetView> {
    return targets.findTargetView(this.#ports.outbox, id);
  }

  updateTarget(
    id: string,
    changes: TargetChanges,
    by: Settler,
    maker?: TargetMaker['maker'],
  ): Promise<ReadResult<TargetView>> {
    return this.#change(id, (outbox) =>
      targets.updateTarget(this.#ports, outbox, id, { changes, by, maker }),
    );
  }

  rotateTargetSecret(id: string, by: Settler): Promise<ReadResult<targets.CreatedTarget>> {
    return this.#change(id, (outbox) => targets.rotateTargetSecret(this.#ports, outbox, id, by));
  }

  deleteTarget(id: string, by: Settler): Promise<{ ok: true } | Rejection> {
    return this.#change(id, (outbox) => targets.deleteTarget(this.#ports, outbox, id, by));
  }

  disableFailedTarget(id: string, disabled: Omit<DisabledState, 'isReported'>): void {
    targets.disableFailedTarget(this.#ports, this.#ports.outbox, id, disabled);
    this.handOver([id]);
  }

  createDevice(
    input: CreateDevice,
    owner: devices.DeviceOwner,
    vapid: VapidKeys,
  ): Promise<ReadResult<DeviceView>> {
    const id = `tgt_${this.#ports.freshId()}`;
    const made = { owner, vapid, id };
    return this.#change(id, (outbox) => devices.createDevice(this.#ports, outbox, input, made));
  }

  devices(subject: string): DeviceView[] {
    return devices.listDevices(this.#ports.outbox, subject);
  }

  /** Rejected for the device of another person, as if it did not exist. */
  device(id: string, subject: string): { ok: true } | Rejection {
    const found = devices.findDevice(this.#ports.outbox, id, subject);
    return found.ok ? { ok: true } : found;
  }

  removeDevice(id: string, by: Settler): Promise<{ ok: true } | Rejection> {
    return this.#change(id, (outbox) => {
      const found = devices.findDevice(outbox, id, by.subject);
      if (!found.ok) return found;
      const why = { by, change: 'device removed' };
      devices.removeDevice(this.#ports, outbox, found.value, why);
      return { ok: true as const };
    });
  }

  /** Made at the first use, and then the same for good: a subscription is bound to the public key. */
  vapidKeys(): Promise<VapidKeys> {
    return devices.findVapidKeys(this.#ports);
  }

  /** After a transaction that changed these targets or removed them. */
  handOver(targetIds: readonly string[]): void {
    if (targetIds.length > 0) this.#ports.maintenance.arm();
    this.send(targetIds);
  }

  /** The same, and the objects of the targets have the change before it resolves, unless they are out of reach. */
  async handOverNow(targetIds: readonly string[]): Promise<void> {
    const { maintenance, outbox } = this.#ports;
    if (targetIds.length > 0) maintenance.arm();
    const sent = await Promise.all(targetIds.map((id) => outbox.send(id)));
    if (sent.includes(false)) maintenance.retryHandover();
  }

  /** No caller waits for it. What fails, the alarm tries again. */
  send(targetIds: Iterable<string>): void {
    const { maintenance, outbox } = this.#ports;
    for (const id of targetIds) {
      void outbox.send(id).then((isSent) => {
        if (!isSent) maintenance.retryHandover();
      });
    }
  }

  /** The object of the target has the change before the response, unless it is out of reach. */
  async #change<Result extends { readonly ok: boolean }>(
    id: string,
    change: (outbox: TargetOutbox) => Result,
  ): Promise<Result> {
    const { maintenance, outbox } = this.#ports;
    const result = outbox.orReset(() => change(outbox));
    if (!result.ok) return result;
    maintenance.arm();
    if (!(await outbox.send(id))) maintenance.retryHandover();
    return result;
  }
}
