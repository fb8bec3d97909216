import type { ObjectCosts } from '../lib/object-costs.ts';

export const NO_COSTS: ObjectCosts;
