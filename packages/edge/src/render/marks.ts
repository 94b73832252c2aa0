/**
 * Bits of the connection mark that are ours; the rest is left as it is found. The low ten say which limit of a terminal
 * the connection falls under, the next four which line it uses.
 */
export const limitMask = 0x03ff;
/** See above; the packet mark uses these as well, to choose the line's table. */
export const lineMask = 0x3c00;

/** Mark of a line by its number. */
export function lineMark(number: number): number {
  return number << 10;
}

/** All bits but these. */
export function others(mask: number): number {
  return (0xffffffff & ~mask) >>> 0;
}
