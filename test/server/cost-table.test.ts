/** A route or a frame without a row of costs fails here; cost-table.long.test.ts measures the rows. */
import { expect, it } from 'vitest';
import { ClientFrame } from '../../src/protocol/schema/frame.ts';
import { keysOfRoutes } from '../support/http/examples.ts';
import { FRAME_COSTS, ROUTE_COSTS } from './cost-table.ts';

it('[LIM-5] has a row for every route and every frame, and for no other', () => {
  expect(Object.keys(ROUTE_COSTS).toSorted()).toEqual(keysOfRoutes().toSorted());
  for (const some of Object.values(ROUTE_COSTS)) expect(some.length).toBeGreaterThan(0);
  const frames = ClientFrame.options.map(({ shape }) => shape.type.value);
  expect(Object.keys(FRAME_COSTS).toSorted()).toEqual(frames.toSorted());
});
