/** The media query of a window with room for the list and a card beside each other; `inbox.css` has the same. */
export const WIDE = '(min-width: 60rem)';
