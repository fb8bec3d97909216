import { setImmediate as nextTask } from 'node:timers/promises';
import { microtasks } from '../../support/hand-queue.ts';

/** Lets requests and sockets in this process come to their end: some of their steps are tasks. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await microtasks();
    await nextTask();
  }
}
