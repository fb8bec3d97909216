/** The chance in the times of deliveries, and the text of a time. */
import type { TargetPorts } from '../delivery/ports.ts';

export const deliveryTimes: Pick<TargetPorts, 'chance' | 'isoTime'> = {
  chance: () => Math.random(),
  isoTime: (at) => new Date(at).toISOString(),
};
