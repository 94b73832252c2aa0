import { useEffect, useMemo, useState } from 'react';
import landAddress from './land.bin?url';
import { type Land, outline, readLand } from './land.ts';

let coming: Promise<Land> | null = null;

async function load(): Promise<Land> {
  const answer = await fetch(landAddress);
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return readLand(new Uint8Array(await answer.arrayBuffer()));
}

function useLand(): Land | null {
  const [land, setLand] = useState<Land | null>(null);
  useEffect(() => {
    let isGone = false;
    coming ??= load();
    coming.then(
      (loaded) => !isGone && setLand(loaded),
      () => {
        // the next map retries
        coming = null;
      },
    );
    return () => {
      isGone = true;
    };
  }, []);
  return land;
}

/** Pixels that the map moves before land is outlined anew. */
const step = 256;

interface Props {
  corner: { x: number; y: number };
  size: { width: number; height: number };
  zoom: number;
}

/** Generalised coasts are kilometres off: nearer than this a shop would stand in the sea. */
export const coarsest = 9;

/** Without borders. */
export function LandLayer(props: Props) {
  const { width, height } = props.size;
  return props.zoom > coarsest ? <rect width={width} height={height} className="map-ground" /> : <Coasts {...props} />;
}

function Coasts({ corner, size: { width, height }, zoom }: Props) {
  const land = useLand();
  const [x, y] = [corner.x, corner.y].map((at) => Math.floor(at / step) * step) as [number, number];
  const paths = useMemo(() => {
    const window = { corner: { x, y }, size: { width: width + step, height: height + step }, zoom };
    return land && { land: outline(land.land, window), lakes: outline(land.lakes, window) };
  }, [land, x, y, width, height, zoom]);
  if (!paths) return null;
  return (
    <g transform={`translate(${x - corner.x} ${y - corner.y})`}>
      <path d={paths.land} className="map-land" />
      <path d={paths.lakes} className="map-lakes" />
    </g>
  );
}
