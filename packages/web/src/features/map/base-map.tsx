import { type CSSProperties, useRef, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import type { View } from './plane.ts';
import { addressOf, placeOf, type Tile, tilesIn } from './tiles.ts';

export type BaseTiles = NonNullable<Data<'/api/v3/map/list'>['tiles']>;

export function BaseMap(props: {
  tiles: BaseTiles;
  view: View;
  corner: { x: number; y: number };
  size: { width: number; height: number };
}) {
  const { tiles, view, corner, size } = props;
  // otherwise every zoom step requests tiles; existing ones are scaled
  const debounced = useDebounced(view.zoom);
  const shown = useRef<Tile[]>([]);
  if (debounced === view.zoom) shown.current = tilesIn(view, size);
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
  // the browser's broken-image icon would cover the grid
  if (failed) return null;
  return (
    <img
      src={address}
      style={place}
      alt=""
      draggable={false}
      // tile servers may check the origin; the path stays private
      referrerPolicy="strict-origin"
      onError={() => setFailed(true)}
    />
  );
}
