/** A line of the log for each request that opens or ends; only where `HOLDPOINT_ACTIVITY` asks for it. */
import type { Activity } from '../../workspace/activity.ts';

export function printActivity(activity: Activity): void {
  console.log(JSON.stringify({ level: 'info', ...activity }));
}
