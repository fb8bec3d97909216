/** One tab of a real browser, as the stories of this folder use it. */
export interface Tab {
  open(address: string): Promise<void>;
  /** The JSON value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** Moves the pointer to the middle of the element that the expression gives, and presses. */
  press(expression: string): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** A picture of the window, as PNG in base64. */
  picture(): Promise<string>;
  close(): Promise<void>;
}

/** The middle of an element, after it was moved into the window. */
export function middleOf(expression: string): string {
  return `(() => {
    const element = ${expression};
    element.scrollIntoView({ block: 'center' });
    const { x, y, width, height } = element.getBoundingClientRect();
    return JSON.stringify({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) });
  })()`;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function readPoint(value: unknown): Point {
  if (typeof value !== 'string') throw new Error('The page gave no place to press');
  return JSON.parse(value) as Point;
}

/** The actions of WebDriver, which both browsers take in the same form. */
export function pressing({ x, y }: Point): object {
  return {
    type: 'pointer',
    id: 'mouse',
    actions: [
      { type: 'pointerMove', x, y, duration: 0 },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  };
}

export function typing(text: string): object {
  const actions = [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]);
  return { type: 'key', id: 'keyboard', actions };
}
