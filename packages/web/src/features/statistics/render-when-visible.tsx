import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';

/** Keeps the space, as an empty card, until scrolled near. */
export function RenderWhenVisible({ height, children }: { height: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element || near) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: '400px 0px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [near]);
  const place = <div className="card" style={{ minHeight: height }} />;
  if (!near) return <div ref={box} className="card" style={{ minHeight: height }} />;
  return <Suspense fallback={place}>{children}</Suspense>;
}
