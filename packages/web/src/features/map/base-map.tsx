import { type CSSProperties, useRef, useState } from 'react';
import type { Data } from '../../app/api.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { viewOn } from './datum.ts';
import { project, type View } from './plane.ts';
import { addressOf, placeOf, type Tile, tilesIn } from './tiles.ts';

export type BaseTiles = NonNullable<Data<'/api/v3/map/list'>['tiles']>;

export function BaseMap(props: { tiles: BaseTiles; view: View; size: { width: number; height: number } }) {
  const { tiles, size } = props;
  // the offset is nearly constant in a view
  const view = viewOn(tiles.datum, props.view);
  const middle = project(view, view.zoom);
  const corner = { x: middle.x - size.width / 2, y: middle.y - size.height / 2 };
  // otherwise every zoom step requests tiles; existing ones are scaled
  const debounced = useDebounced(view.zoom);
  const shown = useRef<Tile[]>([]);
  if (debounced === view.zoom) shown.current = tilesIn(view, size);
  return (
    <>
      <div className="map-tiles">
        {[tiles.url, tiles.overlay].flatMap((url) =>
          url === null
            ? []
            : shown.current.map((tile) => {
                const address = addressOf(url, tile);
                return <Picture key={address} address={address} place={placeOf(tile, corner, view.zoom)} />;
              }),
        )}
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
