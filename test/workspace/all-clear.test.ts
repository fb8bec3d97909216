/**
 * A bug here looks like an empty inbox while an agent waits.
 *
 * Sessions open, settle, change and delete in any order. Their reports arrive twice, late, in pieces or not at all, and
 * the workspace hibernates in between.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { steps, ReportModel } from './report-model.ts';
import { countFor } from '../support/run-length.ts';

it('[INBOX-1] never shows an empty inbox while a reported interaction is open', () => {
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

it('[INBOX-1] shows exactly the open interactions once every session has reported all of its log', () => {
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
