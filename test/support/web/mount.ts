/** Draws into a separate page with the styles of the product, and removes the page after the test. */
import '../../../src/web/styles/index.css';
import { type ComponentChild, render } from 'preact';
import { onTestFinished } from 'vitest';

export interface Mounted {
  readonly element: HTMLElement;
  show(content: ComponentChild): void;
}

export function mount(content: ComponentChild): Mounted {
  document.documentElement.lang = 'en';
  document.title = 'Holdpoint';
  const element = document.createElement('div');
  element.id = 'app';
  document.body.append(element);
  onTestFinished(() => {
    render(null, element);
    element.remove();
  });
  const show = (next: ComponentChild) => render(next, element);
  show(content);
  return { element, show };
}
