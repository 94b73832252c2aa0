import { percent } from '../../ui/format.ts';

/** Grey: the last value of an offline device. */
export function Load({ value, old }: { value: number | null; old?: boolean }) {
  if (value === null) return <span className="dim">—</span>;
  const tone = value >= 90 ? 'var(--bad)' : value >= 75 ? 'var(--warn)' : 'var(--c1)';
  return (
    <span className={old ? 'load stale' : 'load'}>
      <span className="bar">
        <i style={{ width: `${Math.min(100, value)}%`, background: old ? 'var(--line-2)' : tone }} />
      </span>
      {percent(value)}
    </span>
  );
}

export function memoryShare(row: { mem_used: number | null; mem_total: number | null }): number | null {
  return row.mem_used !== null && row.mem_total ? (row.mem_used / row.mem_total) * 100 : null;
}
