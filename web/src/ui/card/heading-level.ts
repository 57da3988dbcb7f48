import { createContext } from 'react';

/** The heading level of a step inside its card. */
export const CardHeadingLevel = createContext<'h1' | 'h2'>('h1');
