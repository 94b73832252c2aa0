import { outlineOf } from '../../ui/icon.tsx';
import { download, fetchFile } from '../../ui/table/csv.ts';
import { linkText, nodeIcons, noteOf, titleOf, toneOf } from './labels.ts';
import { box, type Drawing, isLoose, leaf, paceOf, pathOf } from './layout.ts';

/** A file has no style sheet. */
function palette() {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    panel: of('--panel'),
    ink: of('--ink'),
    dim: of('--ink-3'),
    line: of('--line-2'),
    ok: of('--ok'),
    warn: of('--warn'),
    bad: of('--bad'),
    brand: of('--brand'),
    none: of('--ink-3'),
    font: of('--font'),
  };
}

type Part =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: string; stroke: string }
  | { kind: 'path'; d: string; stroke: string; dashed: boolean; width: number; at?: [x: number, y: number] }
  | { kind: 'text'; x: number; y: number; size: number; fill: string; text: string; max: number; end: boolean };

type Text = Extract<Part, { kind: 'text' }>;

const portRoom = 140;
/** As the style sheet draws them. */
const strokes = { unknown: 'line', slow: 'warn', gigabit: 'ok', fast: 'brand' } as const;
const widths = { unknown: 1.5, slow: 2.5, gigabit: 2, fast: 4 } as const;
const head = 34;

function titleOfPicture(title: string): Text {
  const { ink } = palette();
  return { kind: 'text', x: 16, y: 22, size: 14, fill: ink, text: title, max: Number.POSITIVE_INFINITY, end: false };
}

function partsOf(drawing: Drawing): Part[] {
  const colour = palette();
  const lines = drawing.lines.map((line): Part => {
    const pace = paceOf(line.to.node);
    return {
      kind: 'path',
      d: pathOf(line),
      dashed: isLoose(line.to.node),
      stroke: colour[strokes[pace]],
      width: widths[pace],
    };
  });
  const reported = drawing.lines.flatMap(({ to }): Part[] => {
    const text = to.node.kind === 'station' ? '' : linkText(to.node);
    const at = { x: to.x - 6, y: to.y + box.height / 2 - 5 };
    return text === '' ? [] : [{ kind: 'text', ...at, size: 10, fill: colour.dim, text, max: portRoom, end: true }];
  });
  const boxes = drawing.placed.flatMap(({ node, x, y }): Part[] => {
    const isLeaf = node.kind === 'station';
    const size = isLeaf ? leaf : box;
    const tone = colour[toneOf(node)];
    const writing = (text: Pick<Text, 'y' | 'size' | 'fill' | 'text'>): Part => {
      return { kind: 'text', x: x + 32, max: size.width - 38, end: false, ...text };
    };
    return [
      { kind: 'rect', x, y, ...size, fill: colour.panel, stroke: isLeaf ? colour.line : tone },
      { kind: 'rect', x, y, width: 4, height: size.height, fill: tone, stroke: tone },
      {
        kind: 'path',
        d: outlineOf(nodeIcons[node.kind]),
        stroke: tone,
        dashed: false,
        width: 1.6,
        at: [x + 8, y + size.height / 2 - 10],
      },
      writing({ y: y + (isLeaf ? 17 : 19), size: isLeaf ? 12 : 13, fill: colour.ink, text: titleOf(node) }),
      ...(isLeaf ? [] : [writing({ y: y + 35, size: 11, fill: colour.dim, text: noteOf(node) })]),
    ];
  });
  return [...lines, ...reported, ...boxes];
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);

/** Returns the drawing as SVG; device names are escaped. `title`: network and time. */
export function svgOf(drawing: Drawing, title: string): string {
  const [width, height] = [drawing.width, drawing.height + head];
  const { panel, font } = palette();
  const clip = clipper(font);
  const written = (part: Text) =>
    `<text x="${part.x}" y="${part.y}" font-size="${part.size}" fill="${part.fill}"${part.end ? ' text-anchor="end"' : ''}>${escaped(clip(part))}</text>`;
  const inside = partsOf(drawing).map((part) => {
    if (part.kind === 'rect') {
      const { x, y, fill, stroke } = part;
      return `<rect x="${x}" y="${y}" width="${part.width}" height="${part.height}" fill="${fill}" stroke="${stroke}" rx="3"/>`;
    }
    if (part.kind === 'path') {
      const moved = part.at ? ` transform="translate(${part.at.join(' ')})"` : '';
      const dashes = part.dashed ? ' stroke-dasharray="5 4"' : '';
      return `<path d="${part.d}" fill="none" stroke="${part.stroke}" stroke-width="${part.width}"${dashes}${moved}/>`;
    }
    return written(part);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(font)}"><rect width="${width}" height="${height}" fill="${panel}"/>${written(titleOfPicture(title))}<g transform="translate(0 ${head})">${inside.join('')}</g></svg>\n`;
}

function clipper(font: string): (part: { text: string; size: number; max: number }) => string {
  const context = document.createElement('canvas').getContext('2d');
  return ({ text, size, max }) => {
    if (!context) return text;
    context.font = `${size}px ${font}`;
    if (context.measureText(text).width <= max) return text;
    const signs = [...text];
    while (signs.length > 1 && context.measureText(`${signs.join('')}…`).width > max) signs.pop();
    return `${signs.join('')}…`;
  };
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
  const { panel, font } = palette();
  const clip = clipper(font);
  context.scale(scale, scale);
  context.fillStyle = panel;
  context.fillRect(0, 0, width, height);
  const write = (part: Text) => {
    context.fillStyle = part.fill;
    context.font = `${part.size}px ${font}`;
    context.textAlign = part.end ? 'end' : 'start';
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
      context.strokeStyle = part.stroke;
      context.setLineDash(part.dashed ? [5, 4] : []);
      context.lineWidth = part.width;
      const [left, top] = part.at ?? [0, 0];
      context.translate(left, top);
      context.stroke(new Path2D(part.d));
      context.translate(-left, -top);
      context.lineWidth = 1;
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
