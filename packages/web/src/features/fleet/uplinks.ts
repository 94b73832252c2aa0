/**
 * The socket of an uplink by its name in the reports of our agent: `up0v0` is that of `WAN1`, `up103v0` that of `LAN3` as a
 * line (packages/edge/src/measure/layout.ts). Null for any other name.
 */
export function socketOf(uplink: string): string | null {
  const [, digits] = /^up(\d{1,3})v\d+$/.exec(uplink) ?? [];
  if (digits === undefined) return null;
  const number = Number(digits);
  return number > 100 ? `LAN${number - 100}` : `WAN${number + 1}`;
}
