function luminanceOf(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns a ratio of 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [first, second] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

export function textOn(colour: string): { text: '#000000' | '#ffffff'; ratio: number } {
  const [black, white] = [contrast(colour, '#000000'), contrast(colour, '#ffffff')];
  return black >= white ? { text: '#000000', ratio: black } : { text: '#ffffff', ratio: white };
}

const colourForm = /^#[0-9a-f]{6}$/;
const pathForm = /^\/(?!\/)[\w/-]*$/;

const palettes = {
  light: { bg: '#f2f4f7', card: '#ffffff', text: '#16191d', soft: '#545c66', line: '#868e98', bad: '#b3261e' },
  dark: { bg: '#101317', card: '#1b1f25', text: '#eef1f4', soft: '#aab2bc', line: '#7d8691', bad: '#ff8a80' },
};

/** Of a control's outline against the page (WCAG 2.2, 1.4.11). */
const outlineContrast = 3;

/** Outlines controls in the shop's colour, or in grey where that would not be seen. */
function variablesOf(palette: (typeof palettes)['light'], accent: string): string {
  const edge = contrast(accent, palette.card) >= outlineContrast ? accent : palette.line;
  return Object.entries({ ...palette, edge })
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';');
}

const places = {
  document: { reset: '', root: ':root', body: 'body', height: '100vh' },
  shadow: { reset: ':host{all:initial;display:block;height:100%}\n', root: ':host', body: '.body', height: '100%' },
};

interface Look {
  colour: string;
  background: string | null;
  scheme?: 'auto' | keyof typeof palettes;
  place?: keyof typeof places;
}

/** `background` is a path on the same origin. */
export function styleSheet({ colour, background, scheme = 'auto', place = 'document' }: Look): string {
  const accent = colourForm.test(colour) ? colour : '#1f6feb';
  const picture = background !== null && pathForm.test(background) ? background : null;
  const { reset, root, body, height } = places[place];
  const schemes = scheme === 'auto' ? 'light dark' : scheme;
  const variables = variablesOf(palettes[scheme === 'auto' ? 'light' : scheme], accent);
  const night = `@media(prefers-color-scheme:dark){${root}{${variablesOf(palettes.dark, accent)}}}\n`;
  return `${reset}${root}{color-scheme:${schemes};${variables};--accent:${accent};--on:${textOn(accent).text}}
${scheme === 'auto' ? night : ''}${body}{margin:0;min-height:${height};padding:12px;background:var(--bg)${picture ? ` url("${picture}") center/cover no-repeat` : ''};color:var(--text);font:16px/1.5 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif;overflow-wrap:anywhere}
${rules}`;
}

/** Targets are at least 44 px high, rows 52. No rule asks for the window's width: the editor shows the page in a phone. */
const rules = `*{box-sizing:border-box}
main{max-width:28rem;margin:0 auto;background:var(--card);border-radius:14px}
header{padding:20px;border-bottom:1px solid var(--edge);border-radius:14px 14px 0 0;background:var(--accent);color:var(--on);text-align:center}
.logo{display:block;max-width:70%;max-height:88px;margin:0 auto 12px;padding:8px;border-radius:8px;background:#fff}
.brand{margin:0;font-weight:600}
.content{padding:16px 16px 4px}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 8px;text-align:center}
header h1{margin:0}
h2{font-size:1rem;margin:0 0 8px}
p{margin:0 0 12px;white-space:pre-line}
.wide{display:block;width:100%;height:auto;border-radius:8px;margin:0 0 12px}
.strip{display:flex;overflow-x:auto;scroll-snap-type:x mandatory;gap:8px;margin:0 0 12px}
.strip img{flex:0 0 100%;width:100%;height:auto;scroll-snap-align:start;border-radius:8px}
.soft,footer{color:var(--soft);font-size:.875rem}
summary{cursor:pointer}
.way{margin:0 0 8px;border:1px solid var(--line);border-radius:10px}
.way[open]{border-color:var(--edge)}
.way>summary{position:relative;display:block;min-height:52px;padding:12px 40px 12px 14px;border-radius:10px;list-style:none}
.way>summary::-webkit-details-marker{display:none}
.way>summary::after{content:"";position:absolute;top:20px;right:18px;width:9px;height:9px;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(45deg)}
.way[open]>summary::after{top:24px;transform:rotate(-135deg)}
.name{display:block;font-weight:600}
.way .soft{display:block}
.way form{padding:0 14px 2px}
.terms{margin:0 0 8px}
.terms summary{min-height:44px;padding:11px 0;color:var(--soft);font-size:.875rem}
form{margin:0}
form+form{margin-top:16px}
label,legend{display:block;margin:0 0 4px;padding:0}
.field{display:block;width:100%;min-height:48px;padding:8px 12px;margin:0 0 12px;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:8px}
fieldset{min-width:0;margin:0 0 12px;padding:0;border:0}
.pick{position:relative;margin:0 0 8px;cursor:pointer}
.pick input{position:absolute;top:16px;left:14px;width:20px;height:20px;margin:0;accent-color:var(--edge)}
.row{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 12px;min-height:52px;padding:13px 14px 13px 46px;border:1px solid var(--line);border-radius:10px}
.row .soft{flex-basis:100%}
.price{margin-left:auto;white-space:nowrap}
.pick input:checked+.row{border-color:var(--edge);box-shadow:inset 0 0 0 1px var(--edge)}
button,.button{display:block;width:100%;min-height:48px;padding:11px 16px;margin:0 0 12px;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;border:1px solid var(--edge);border-radius:8px;background:var(--accent);color:var(--on)}
.second{background:transparent;color:inherit;border-color:var(--line)}
:focus-visible,.pick input:focus-visible+.row{outline:3px solid var(--text);outline-offset:2px}
[role=alert]{color:var(--bad);font-weight:600}
.field[aria-invalid=true]{border-color:var(--bad);border-width:2px}
[aria-invalid=true] .row{border-color:var(--bad)}
.done{width:56px;height:56px;margin:0 auto 8px;border:1px solid var(--edge);border-radius:50%;background:var(--accent);color:var(--on);font-size:1.75rem;line-height:54px;text-align:center}
.facts{margin:0 0 16px;text-align:center}
.facts p{margin:0}
footer{padding:0 16px 12px;text-align:center}
footer a{display:inline-block;min-width:44px;min-height:44px;padding:12px;color:inherit}`;
