// The least that a page with React can be: one input.
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const field = createElement('input', { name: 'userName', 'aria-label': 'User name' });
createRoot(root).render(createElement('main', { 'data-step': 'bare' }, createElement('form', {}, field)));
