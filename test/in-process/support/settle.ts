import { setImmediate as nextTask } from 'node:timers/promises';
import { microtasks } from '../../support/hand-queue.ts';

/** Waits until requests and sockets in this process have finished; some of their steps are tasks, not microtasks. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await microtasks();
    await nextTask();
  }
}
