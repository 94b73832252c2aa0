import { type ReactNode, useEffect, useState } from 'react';

/** Returns true after 150 ms: fast answers show no skeleton. */
export function useLate(): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return late;
}

export function Skeleton({ width = '100%', height = 14 }: { width?: number | string; height?: number }) {
  const late = useLate();
  return <div className={late ? 'skeleton' : undefined} data-loading style={{ width, height }} />;
}

export function Loading({ until, lines = 3, children }: { until: boolean; lines?: number; children: ReactNode }) {
  if (until) return children;
  return (
    <div className="stack stack-s" aria-busy="true">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={index} width={`${90 - ((index * 23) % 40)}%`} />
      ))}
    </div>
  );
}
