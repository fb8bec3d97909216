/** The hosted chat and the reference are imported as bytes: by wrangler's data modules, and the same under vitest. */
declare module '*.bundle' {
  const bytes: ArrayBuffer;
  export default bytes;
}
