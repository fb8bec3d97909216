/** Builds dist/ before the server tests if the sources have changed, so that they never run an old bundle. */
export { ensureBundle as default } from '../../scripts/lib/build-bundle.ts';
