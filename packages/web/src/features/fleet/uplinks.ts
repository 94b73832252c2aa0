import { socketOf } from '@yunxun/contract/uplink-names';

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
