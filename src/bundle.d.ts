/** The hosted chat and the reference are imported as texts: by wrangler's text modules, and the same under vitest. */
declare module '*.bundle' {
  const text: string;
  export default text;
}
