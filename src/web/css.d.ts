/** A stylesheet is imported for its effect on the page. */
declare module '*.css';

/** The text of a stylesheet, for a part that is fetched later. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}
