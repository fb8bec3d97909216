/** Lines in the log of the deployment, for its operator. None holds data of a request. */
import type { Activity } from '../../workspace/activity.ts';
import { UnknownSchema } from '../sqlite/migrate.ts';

/** Logs what happened, and the error with its stack. */
export function warn(message: string, evidence: unknown): void {
  const error = evidence instanceof Error ? (evidence.stack ?? evidence.message) : evidence;
  console.warn(JSON.stringify({ level: 'warn', message, error }));
}

/** One line for each interaction that opens or ends; used only where `HOLDPOINT_ACTIVITY` asks for it. */
export function logActivity(activity: Activity): void {
  console.log(JSON.stringify({ level: 'info', ...activity }));
}

/**
 * Makes an object, or logs why the object is not served: its storage has a schema that this version does not know.
 * Every request wakes the object anew, so each request leaves a line.
 */
export function logUnknownSchema<Made>(what: string, make: () => Made): Made {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof UnknownSchema) {
      console.error(`Holdpoint does not serve ${what}: ${cause.message}`);
    }
    throw cause;
  }
}
