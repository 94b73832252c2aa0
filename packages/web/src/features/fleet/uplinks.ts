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

/** Reported lines in the order in which their gateway prefers them, which is that of its settings; others as they were reported, at the end. */
export function inOrder<Line extends { interface: string }>(
  reported: readonly Line[],
  settings: readonly { port: string }[],
): Line[] {
  const rank = (line: Line) => {
    const at = settings.findIndex(({ port }) => port === socketOf(line.interface));
    return at < 0 ? settings.length : at;
  };
  return reported.toSorted((a, b) => rank(a) - rank(b));
}
