/** The Worker carries the hosted chat and the reference; without them these tests could not import the Worker. */
export { buildBundles as default } from '../../scripts/lib/web/build-bundles.ts';
