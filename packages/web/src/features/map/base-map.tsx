import { type CSSProperties, useRef, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { useRested } from '../../ui/use-rested.ts';
import type { View } from './plane.ts';
import { addressOf, placeOf, type Tile, tilesIn } from './tiles.ts';

export type BaseTiles = NonNullable<Data<'/api/v3/map/list'>['tiles']>;

/** The operator's map, between the grid and the points. What its server does not give leaves the grid. */
export function BaseMap(props: {
  tiles: BaseTiles;
  view: View;
  corner: { x: number; y: number };
  size: { width: number; height: number };
}) {
  const { tiles, view, corner, size } = props;
  // while somebody zooms, what is there is stretched: every zoom on the way would ask for tiles of its own
  const rested = useRested(view.zoom);
  const shown = useRef<Tile[]>([]);
  if (rested === view.zoom) shown.current = tilesIn(view, size);
  return (
    <>
      <div className="map-tiles">
        {shown.current.map((tile) => {
          const address = addressOf(tiles.url, tile);
          return <Picture key={address} address={address} place={placeOf(tile, corner, view.zoom)} />;
        })}
      </div>
      {tiles.attribution && <p className="map-attribution">{tiles.attribution}</p>}
    </>
  );
}

function Picture({ address, place }: { address: string; place: CSSProperties }) {
  const [failed, setFailed] = useState(false);
  // the browser's sign for a broken picture would lie on the grid
  if (failed) return null;
  return (
    <img
      src={address}
      style={place}
      alt=""
      draggable={false}
      // map servers ask whose page it is; what is looked at in it they are not told
      referrerPolicy="strict-origin"
      onError={() => setFailed(true)}
    />
  );
}
