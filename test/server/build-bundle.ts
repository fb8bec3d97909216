/** Builds dist/ once before the server tests, so that they never run an old bundle. */
export { buildBundle as default } from '../../scripts/lib/build-bundle.ts';
