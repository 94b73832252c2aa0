/** Both ends included. */
export interface PortRun {
  from: number;
  to: number;
}

const run = /^(\d{1,3})(?:-(\d{1,3}))?$/;

/** Parses port lists such as `1-8,10`; null if invalid. */
export function portRuns(text: string): PortRun[] | null {
  const runs: PortRun[] = [];
  for (const part of text.split(',')) {
    const [, from, to = from] = run.exec(part) ?? [];
    if (from === undefined || Number(to) < Number(from)) return null;
    runs.push({ from: Number(from), to: Number(to) });
  }
  return runs;
}
