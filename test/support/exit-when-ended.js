/** Vitest ends a process by a signal, which would skip what belongs to an exit: servers end, and Node keeps what it compiled. */
process.once('SIGTERM', () => process.exit());
