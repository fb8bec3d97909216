/**
 * A bug here would look like this: the inbox is empty, and an agent waits.
 *
 * Sessions ask, settle, change and go in any order; what they tell arrives twice, late, in pieces or
 * not at all, and the workspace is put to sleep in between.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { steps, ReportModel } from './report-model.ts';
import { countFor } from '../support/run-length.ts';

it('[INBOX-1] never says all clear while something it was told of is open', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const model = new ReportModel();
      for (const step of taken) {
        model.take(step);
        expect(model.shown()).toEqual(model.expected());
      }
    }),
    { numRuns: countFor({ quick: 75, long: 300 }) },
  );
});

it('[INBOX-1] shows exactly what is open once every session has told all of its log', () => {
  fc.assert(
    fc.property(steps, (taken) => {
      const model = new ReportModel();
      for (const step of taken) model.take(step);
      for (const member of model.members) model.catchUp(member);
      const open = model.members.flatMap(({ session }) =>
        [...session.open.keys()].map((id) => `${session.id}/${id}`),
      );
      expect(model.shown().inbox).toEqual(open.toSorted());
    }),
    { numRuns: countFor({ quick: 75, long: 300 }) },
  );
});
