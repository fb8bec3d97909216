/** A migration is imported as its text: by wrangler's text modules in a Worker, by a plugin in vitest.config.ts in Node. */
declare module '*.sql' {
  const text: string;
  export default text;
}
