/** Several commands of one request, each by itself: a refusal does not undo or stop the others. */
import type { Command, Context } from '../protocol/schema/command.ts';
import type { Handled, Session } from './session.ts';

export function handleEach(
  session: Session,
  commands: readonly Command[],
  { idempotency, ...rest }: Context,
): Handled[] {
  return commands.map((command, index) =>
    session.handle(command, {
      ...rest,
      ...(idempotency && { idempotency: { ...idempotency, key: `${idempotency.key} ${index}` } }),
    }),
  );
}
