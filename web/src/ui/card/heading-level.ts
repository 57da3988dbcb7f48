import { createContext } from 'react';

/** The level of a step's heading inside the card that stands around it. */
export const CardHeadingLevel = createContext<'h1' | 'h2'>('h1');
