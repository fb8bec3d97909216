/** A message that the surface of a target receives: the surface verifies and reads it, the session decides about its answer. */
import { type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { requestedBy, surfaceTarget } from './attempt.ts';
import { readDeliveryId, targetOfDelivery } from './delivery-queue.ts';
import type { StoredDelivery, TargetConfig, TargetPorts } from './ports.ts';
import { sendAnswer } from './receiver-answer.ts';
import { findSurface } from './surfaces/index.ts';
import type { SurfaceMessage, SurfaceMessageReply } from './surfaces/surface.ts';

export type ReceivedMessage =
  | SurfaceMessageReply
  /** The target that the message belongs to. */
  | { readonly forwardTo: string };

type SurfaceMessagePorts = Pick<
  TargetPorts,
  'store' | 'send' | 'answer' | 'now' | 'isoTime' | 'wait' | 'warn'
>;

const UNREACHABLE = reject('unavailable', 'The session is out of reach; try again in a moment');
const NO_SUCH_TARGET = reject('not_found', 'There is no such target');

export async function receiveMessage(
  ports: SurfaceMessagePorts,
  { config, isEnabled }: { readonly config: TargetConfig; readonly isEnabled: boolean },
  message: SurfaceMessage,
): Promise<ReceivedMessage | Rejection> {
  const { store, send, now, isoTime, wait, warn } = ports;
  const surface = findSurface(config.surface);
  if (surface.receive === undefined) return NO_SUCH_TARGET;
  const find = (id: string): StoredDelivery | undefined => {
    const number = readDeliveryId(config.id, id);
    return number === undefined ? undefined : store.find(number);
  };
  const received = await surface.receive(surfaceTarget(config), message, {
    send,
    now,
    isoTime,
    isEnabled,
    isOwn: (id) => readDeliveryId(config.id, id) !== undefined,
    findRequested(id) {
      const delivery = find(id);
      return delivery && requestedBy(delivery);
    },
    async answer({ deliveryId, subject, answer, inputDigest }) {
      const delivery = find(deliveryId);
      if (delivery === undefined) return NO_SUCH_TARGET;
      const given = { answer, ...(inputDigest !== undefined && { inputDigest }) };
      try {
        return await sendAnswer(ports, config, delivery, given, { subject, via: 'chat' });
      } catch (cause) {
        warn('An answer could not be handed to its session', cause);
        return UNREACHABLE;
      }
    },
    addReceived(id) {
      if (store.hasReceived(id)) return false;
      store.write(() => {
        store.removeReceivedBefore(now() - 3 * LIMITS.messageAgeMs);
        store.addReceived(id, now());
      });
      return true;
    },
    within(ms, work) {
      const reported = work.catch((cause: unknown) => {
        warn('The work of a message failed', cause);
        return undefined;
      });
      return Promise.race([reported, wait(ms).then(() => undefined)]);
    },
  });
  if (!('forwardTo' in received)) return received;
  const other = targetOfDelivery(received.forwardTo);
  return other === undefined ? NO_SUCH_TARGET : { forwardTo: other };
}
