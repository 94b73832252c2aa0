/** Returns black or white, whichever has the higher contrast on `colour` (WCAG 2.2, relative luminance). */
export function textOn(colour: string): { text: '#000000' | '#ffffff'; ratio: number } {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const [black, white] = [(luminance + 0.05) / 0.05, 1.05 / (luminance + 0.05)];
  return black >= white ? { text: '#000000', ratio: black } : { text: '#ffffff', ratio: white };
}

const colourForm = /^#[0-9a-f]{6}$/;
const pathForm = /^\/(?!\/)[\w/-]*$/;

const palettes = {
  light: '--bg:#f2f4f7;--card:#fff;--text:#16191d;--soft:#545c66;--line:#868e98;--bad:#b3261e',
  dark: '--bg:#101317;--card:#1b1f25;--text:#eef1f4;--soft:#aab2bc;--line:#7d8691;--bad:#ff8a80',
};

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
  const [schemes, palette] = scheme === 'auto' ? ['light dark', palettes.light] : [scheme, palettes[scheme]];
  const night = scheme === 'auto' ? `@media(prefers-color-scheme:dark){${root}{${palettes.dark}}}\n` : '';
  return `${reset}${root}{color-scheme:${schemes};${palette};--accent:${accent};--on:${textOn(accent).text}}
${night}*{box-sizing:border-box}
${body}{margin:0;min-height:${height};padding:16px;background:var(--bg)${picture ? ` url("${picture}") center/cover no-repeat` : ''};color:var(--text);font:16px/1.5 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif;overflow-wrap:anywhere}
main{max-width:26rem;margin:0 auto;padding:20px;background:var(--card);border-radius:12px}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 8px;text-align:center}
h2{font-size:1rem;margin:0 0 8px}
p{margin:0 0 12px;white-space:pre-line}
.logo{display:block;max-width:60%;max-height:72px;margin:0 auto 12px}
.wide{display:block;width:100%;height:auto;border-radius:8px;margin:0 0 12px}
.strip{display:flex;overflow-x:auto;scroll-snap-type:x mandatory;gap:8px;margin:0 0 12px}
.strip img{flex:0 0 100%;width:100%;height:auto;scroll-snap-align:start;border-radius:8px}
form,.way{border-top:1px solid var(--line);padding:16px 0 4px;margin:0}
label{display:block;margin:0 0 4px}
input{display:block;width:100%;min-height:48px;padding:8px 12px;margin:0 0 12px;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:8px}
button,.button{display:block;width:100%;min-height:48px;padding:10px 16px;margin:0 0 12px;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;border:1px solid var(--accent);border-radius:8px;background:var(--accent);color:var(--on)}
.second{background:transparent;color:inherit;border-color:var(--line)}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}
[role=alert]{color:var(--bad);font-weight:600}
[aria-invalid=true]{border-color:var(--bad);border-width:2px}
.soft,footer,summary{color:var(--soft);font-size:.875rem}
.big{font-size:1.75rem;text-align:center}
summary{min-height:44px;padding:10px 0;cursor:pointer}
footer{text-align:center;padding-top:8px}
footer a{display:inline-block;padding:10px;color:inherit}`;
}
