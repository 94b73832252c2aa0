import { ledOf } from '../../ui/device/device-drawing.tsx';
import { pictureOf } from '../../ui/device/fronts.ts';
import { paints } from '../../ui/device/shapes.ts';
import { outlineOf } from '../../ui/icon.tsx';
import { clipMiddle } from '../../ui/middle.ts';
import { download, fetchFile } from '../../ui/table/csv.ts';
import { drawnOf, linkText, noteOf, titleOf, toneOf } from './labels.ts';
import { box, type Drawing, inside, isLoose, leaf, type Placed, paceOf, pathOf } from './layout.ts';

/** Returns the value of a token: a file has no style sheet. */
function palette(): (token: string) => string {
  const style = getComputedStyle(document.documentElement);
  return (token) => style.getPropertyValue(token).trim();
}

interface Path {
  kind: 'path';
  d: string;
  fill: string | null;
  stroke: string | null;
  width: number;
  dashed?: boolean;
  /** Origin and scale. */
  at?: readonly [x: number, y: number, scale: number];
}

interface Text {
  kind: 'text';
  x: number;
  y: number;
  size: number;
  fill: string;
  text: string;
  max: number;
}

type Part =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: string; stroke: string }
  | Path
  | Text;

/** As the style sheet draws them. */
const strokes = { unknown: '--line-2', slow: '--warn', gigabit: '--ok', fast: '--brand' } as const;
const widths = { unknown: 1.5, slow: 2.5, gigabit: 2, fast: 4 } as const;
const tones = { ok: '--ok', warn: '--warn', bad: '--bad', none: '--ink-3' } as const;
const head = 34;

function titleOfPicture(title: string): Text {
  return {
    kind: 'text',
    x: 16,
    y: 22,
    size: 14,
    fill: palette()('--ink'),
    text: title,
    max: Number.POSITIVE_INFINITY,
  };
}

function partsOf(drawing: Drawing): Part[] {
  const colour = palette();
  const lines = drawing.lines.map((line): Part => {
    const pace = paceOf(line.to.node);
    return {
      kind: 'path',
      d: pathOf(line),
      fill: null,
      stroke: colour(strokes[pace]),
      width: widths[pace],
      dashed: isLoose(line.to.node),
    };
  });
  const boxes = drawing.placed.flatMap((placed): Part[] => {
    const { node, x, y } = placed;
    const isLeaf = node.kind === 'station';
    const size = isLeaf ? leaf : box;
    const { text: start } = isLeaf ? inside.leaf : inside.box;
    const tone = colour(tones[toneOf(node)]);
    const texts = [titleOf(node), ...(isLeaf ? [] : [noteOf(node), linkText(node)].filter(Boolean))];
    const first = y + size.height / 2 + 4 - (texts.length - 1) * 8;
    return [
      { kind: 'rect', x, y, ...size, fill: colour('--panel'), stroke: isLeaf ? colour('--line-2') : tone },
      { kind: 'rect', x, y, width: 4, height: size.height, fill: tone, stroke: tone },
      ...drawnParts(placed, colour),
      ...texts.map((text, at): Text => {
        return {
          kind: 'text',
          x: x + start,
          y: first + at * 16,
          size: at > 0 ? 11 : isLeaf ? 12 : 13,
          fill: colour(at === 0 ? '--ink' : '--ink-3'),
          text,
          max: size.width - start - 8,
        };
      }),
    ];
  });
  return [...lines, ...boxes];
}

function drawnParts({ node, x, y }: Placed, colour: (token: string) => string): Path[] {
  const isLeaf = node.kind === 'station';
  const room = isLeaf ? inside.leaf : inside.box;
  const [left, top] = [x + room.drawing, y + ((isLeaf ? leaf : box).height - room.height) / 2];
  if (node.kind === 'internet') {
    const at = [left + 6, top, 1.8] as const;
    return [{ kind: 'path', d: outlineOf('globe'), fill: null, stroke: colour('--ink-2'), width: 1, at }];
  }
  const picture = pictureOf(drawnOf(node), node.ports, isLeaf ? 'sign' : 'small');
  const scale = Math.min(room.width / picture.width, room.height / picture.height);
  const at = [
    left + (room.width - picture.width * scale) / 2,
    top + (room.height - picture.height * scale) / 2,
    scale,
  ] as const;
  const led = ledOf(node.status);
  const of = (token: string | null) => (token === null ? null : colour(token === 'led' ? led : token));
  return picture.shapes.map(({ paint, d }) => {
    const { fill, stroke } = paints[paint];
    return { kind: 'path', d, fill: of(fill), stroke: of(stroke), width: picture.stroke, at };
  });
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);

/** Returns the drawing as SVG; device names are escaped. `title`: network and time. */
export function svgOf(drawing: Drawing, title: string): string {
  const [width, height] = [drawing.width, drawing.height + head];
  const colour = palette();
  const [panel, font] = [colour('--panel'), colour('--font')];
  const clip = clipper(font);
  const written = (part: Text) => {
    const clipped = clip(part);
    const whole = clipped === part.text ? '' : `<title>${escaped(part.text)}</title>`;
    return `<text x="${part.x}" y="${part.y}" font-size="${part.size}" fill="${part.fill}">${whole}${escaped(clipped)}</text>`;
  };
  const drawn = partsOf(drawing).map((part) => {
    if (part.kind === 'rect') {
      const { x, y, fill, stroke } = part;
      return `<rect x="${x}" y="${y}" width="${part.width}" height="${part.height}" fill="${fill}" stroke="${stroke}" rx="3"/>`;
    }
    if (part.kind === 'path') {
      const { d, fill, stroke, width: thick, at } = part;
      const moved = at ? ` transform="translate(${at[0]} ${at[1]}) scale(${at[2]})"` : '';
      const dashes = part.dashed ? ' stroke-dasharray="5 4"' : '';
      return `<path d="${d}" fill="${fill ?? 'none'}" stroke="${stroke ?? 'none'}" stroke-width="${thick}"${dashes}${moved}/>`;
    }
    return written(part);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(font)}"><rect width="${width}" height="${height}" fill="${panel}"/>${written(titleOfPicture(title))}<g transform="translate(0 ${head})">${drawn.join('')}</g></svg>\n`;
}

function clipper(font: string): (part: { text: string; size: number; max: number }) => string {
  const context = document.createElement('canvas').getContext('2d');
  return ({ text, size, max }) => {
    if (!context) return text;
    context.font = `${size}px ${font}`;
    return clipMiddle(text, (clipped) => context.measureText(clipped).width <= max);
  };
}

function drawPath(context: CanvasRenderingContext2D, { d, fill, stroke, width, dashed, at }: Path): void {
  const path = new Path2D(d);
  context.save();
  if (at) {
    context.translate(at[0], at[1]);
    context.scale(at[2], at[2]);
  }
  context.setLineDash(dashed ? [5, 4] : []);
  context.lineWidth = width;
  context.fillStyle = fill ?? 'transparent';
  context.strokeStyle = stroke ?? 'transparent';
  if (fill) context.fill(path);
  if (stroke) context.stroke(path);
  context.restore();
}

export function saveSvg(drawing: Drawing, name: string, title: string): void {
  download(`${name}.svg`, svgOf(drawing, title), 'image/svg+xml');
}

/** Canvas limits that every browser supports, in pixels. */
const maxPixels = { side: 16_384, all: 2 ** 27 } as const;

/** At double resolution within the limits. */
export async function savePng(drawing: Drawing, name: string, title: string): Promise<void> {
  const [width, height] = [drawing.width, drawing.height + head];
  const scale = Math.min(2, maxPixels.side / Math.max(width, height), Math.sqrt(maxPixels.all / (width * height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) return;
  const colour = palette();
  const font = colour('--font');
  const clip = clipper(font);
  context.scale(scale, scale);
  context.fillStyle = colour('--panel');
  context.fillRect(0, 0, width, height);
  const write = (part: Text) => {
    context.fillStyle = part.fill;
    context.font = `${part.size}px ${font}`;
    context.fillText(clip(part), part.x, part.y);
  };
  write(titleOfPicture(title));
  context.translate(0, head);
  for (const part of partsOf(drawing)) {
    if (part.kind === 'rect') {
      context.fillStyle = part.fill;
      context.strokeStyle = part.stroke;
      context.setLineDash([]);
      context.fillRect(part.x, part.y, part.width, part.height);
      context.strokeRect(part.x, part.y, part.width, part.height);
    } else if (part.kind === 'path') {
      drawPath(context, part);
    } else {
      write(part);
    }
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) return;
  const address = URL.createObjectURL(blob);
  fetchFile(address, `${name}.png`);
  URL.revokeObjectURL(address);
}
