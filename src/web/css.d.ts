/** A stylesheet is imported for its effect on the page. */
declare module '*.css';
