/** Builds dist/ once before the server tests, so that they never run yesterday's bundle. */
export { buildBundle as default } from '../../scripts/lib/build-bundle.ts';
