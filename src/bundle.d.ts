/** The hosted chat is imported as its text: by wrangler's text modules, and the same under vitest. */
declare module '*.bundle' {
  const text: string;
  export default text;
}
