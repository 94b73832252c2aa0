/** Our bits of the connection mark: the low ten hold a client's limit, the next four the WAN. */
export const limitMask = 0x03ff;
/** Also used in the packet mark, to select the WAN's table. */
export const wanMask = 0x3c00;

/** Of the packet mark alone: frames between the ports of a bridge. */
export const betweenMark = 0x0080;

export function wanMark(number: number): number {
  return number << 10;
}

export function others(mask: number): number {
  return (0xffffffff & ~mask) >>> 0;
}
