/** Begins the hosted chat in the page that the Worker serves. */
import './styles/index.css';
import { render } from 'preact';

const root = document.getElementById('app');
if (root !== null) render(<main>Holdpoint</main>, root);
