/** The costs of an object that has done nothing: for the Worker that counts, and for tests of what is counted. */
export const NO_COSTS = {
  wakes: 0,
  requests: 0,
  refreshes: 0,
  messages: 0,
  alarms: 0,
  rowsRead: 0,
  rowsWritten: 0,
  alarmMoves: 0,
};
