import { expect, it } from 'vitest';
import { refuseOldRuntime } from '../../src/in-process/refuse-old-runtime.ts';

const NEEDED = { entry: 'holdpoint/in-process/sqlite', what: 'node:sqlite', node: 24 };

it('says what is missing and which Node has it, and passes where it is there', () => {
  expect(() => refuseOldRuntime(true, NEEDED)).not.toThrow();
  expect(() => refuseOldRuntime(false, NEEDED)).toThrow(
    `holdpoint/in-process/sqlite needs node:sqlite, which Node 24 has; this is Node ${process.versions.node}.`,
  );
});
