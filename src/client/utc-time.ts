/** The time as other protocols write it. It is in this room because the integrations read no clock. */
export function utcTime(): string {
  return new Date().toISOString();
}
