/** A log line for the operator: what happened, and the error with its stack. No request data. */
export function warn(message: string, evidence: unknown): void {
  const error = evidence instanceof Error ? (evidence.stack ?? evidence.message) : evidence;
  console.warn(JSON.stringify({ level: 'warn', message, error }));
}
