/** A picture as its pixels: three bytes each (red, green, blue), row by row. */
export interface Picture {
  width: number;
  height: number;
  pixels: Uint8Array;
}
