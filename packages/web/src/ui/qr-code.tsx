import { useMemo } from 'react';
import { encode } from 'uqr';

/** Draws dark on white in both themes, for cameras. */
export function QrCode({ text, label, size = 176 }: { text: string; label: string; size?: number }) {
  const { path, side } = useMemo(() => {
    const { data, size: modules } = encode(text, { ecc: 'M', border: 2 });
    const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? `M${x} ${y}h1v1h-1z` : [])));
    return { path: dark.join(''), side: modules };
  }, [text]);
  return (
    <svg
      className="qr-code"
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
