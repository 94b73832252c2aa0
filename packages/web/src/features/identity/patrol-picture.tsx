// Drawing of a network with a light that runs along each link. Positions are computed, so that it fills any panel.
interface Point {
  x: number;
  y: number;
}

const WIDTH = 720;
const HEIGHT = 900;
const centre: Point = { x: 430, y: 330 };

function around(from: Point, radius: number, count: number, start: number, sweep: number): Point[] {
  return Array.from({ length: count }, (_, index) => {
    const angle = ((start + (sweep * index) / Math.max(1, count - 1)) * Math.PI) / 180;
    return { x: from.x + radius * Math.cos(angle), y: from.y + radius * Math.sin(angle) * 0.92 };
  });
}

const gateways = around(centre, 205, 6, -168, 300);
const leaves = gateways.map((gateway, index) =>
  around(gateway, 96 + (index % 2) * 22, 3 + (index % 3), -168 + index * 60 - 62, 124),
);

export function PatrolPicture() {
  return (
    <svg className="patrol" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <g className="patrol-orbits">
        <circle cx={centre.x} cy={centre.y} r="120" />
        <circle cx={centre.x} cy={centre.y} r="205" />
        <circle cx={centre.x} cy={centre.y} r="310" />
      </g>
      <g className="patrol-lines">
        {gateways.map((gateway, index) => (
          <g key={gateway.x}>
            <path d={`M${centre.x} ${centre.y}L${gateway.x} ${gateway.y}`} />
            <path
              className="patrol-run"
              pathLength="1"
              style={{ animationDelay: `${index * 0.9}s` }}
              d={`M${centre.x} ${centre.y}L${gateway.x} ${gateway.y}`}
            />
            {leaves[index]?.map((leaf) => (
              <path key={leaf.x} className="patrol-thin" d={`M${gateway.x} ${gateway.y}L${leaf.x} ${leaf.y}`} />
            ))}
          </g>
        ))}
      </g>
      {gateways.map((gateway, index) => (
        <g key={gateway.x}>
          {leaves[index]?.map((leaf, place) => (
            <circle
              key={leaf.x}
              className={index === 4 && place === 1 ? 'patrol-leaf patrol-bad' : 'patrol-leaf'}
              cx={leaf.x}
              cy={leaf.y}
              r="5"
            />
          ))}
          <rect className="patrol-gateway" x={gateway.x - 13} y={gateway.y - 9} width="26" height="18" rx="5" />
          <circle className="patrol-lamp" cx={gateway.x - 6} cy={gateway.y} r="2" />
        </g>
      ))}
      <circle className="patrol-core" cx={centre.x} cy={centre.y} r="34" />
      <path
        className="patrol-cloud"
        transform={`translate(${centre.x - 32} ${centre.y - 36}) scale(2)`}
        d="M12.2 23.2a4.2 4.2 0 0 1 .3-8.4 6 6 0 0 1 11.4 1.4 3.6 3.6 0 0 1-.2 7z"
      />
    </svg>
  );
}
