/** In groups of four, as people read and type it. */
export const inFours = (text: string): string => text.match(/.{1,4}/g)?.join(' ') ?? '';
