// Reads the labels of all forms, and the screens that show them, from the sources: the search finds a setting by its
// label without a list that is kept by hand.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pinyin } from 'pinyin-pro';
import type { Place, SettingIndex, SettingLabel } from './src/features/search/search-index.ts';
import { en, zh } from './src/messages/all.ts';

const src = join(import.meta.dirname, 'src');

const repeated: ReadonlySet<string> = new Set(['/network/gateway/$gwid']);
const lengths = { min: 2, max: 40 };

const texts = new Map<string, string>();
function read(file: string): string {
  const known = texts.get(file) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '');
  texts.set(file, known);
  return known;
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '');
const featureOf = (file: string): string | undefined => /^features\/([\w-]+)\//.exec(relative(src, file))?.[1];
const importsOf = (file: string): string[] =>
  all(read(file), /(?:from|import\()\s*'(\.[^']+)'/g).map((path) => join(dirname(file), path));

function reach(entry: string): Set<string> {
  const found = new Set([entry]);
  for (const file of found)
    for (const next of importsOf(file)) if (featureOf(next) === featureOf(entry)) found.add(next);
  return found;
}

/** Returns the file that a component, or the loader of a lazy one, comes from. */
function sourceOf(file: string, name: string): string | null {
  const text = read(file);
  const lazily = new RegExp(`const ${name} = lazy\\(([\\s\\S]*?)\\);\\n`).exec(text)?.[1];
  const loader = lazily && /^\w+$/.test(lazily) ? lazily : null;
  if (loader) return sourceOf(file, loader);
  const own = lazily && /import\('(\.[^']+)'\)/.exec(lazily)?.[1];
  if (own) return join(dirname(file), own);
  const from = new RegExp(`(?:import|export) \\{[^}]*\\b${name}\\b[^}]*\\} from '(\\.[^']+)'`).exec(text)?.[1];
  if (!from) return null;
  const target = join(dirname(file), from);
  return sourceOf(target, name) ?? target;
}

function tabsOf(screen: string): [tab: string, source: string][] {
  const tabbed = [screen, ...importsOf(screen)].find((file) => read(file).includes('oneOf(search.tab,'));
  if (!tabbed || featureOf(tabbed) !== featureOf(screen)) return [];
  const parts = read(tabbed).split(/\btab === '(\w+)'/);
  return parts.flatMap((tab, at): [string, string][] => {
    const shown = at % 2 === 1 ? (parts[at + 1] ?? '') : '';
    if (!shown.startsWith(' &&')) return [];
    return all(shown, /<([A-Z]\w+)/g).flatMap((component): [string, string][] => {
      const source = sourceOf(tabbed, component);
      return source && featureOf(source) ? [[tab, source]] : [];
    });
  });
}

/** Returns the keys in a call of `t`: of a template literal all that it may name, unless that is a whole part. */
function keysIn(call: string, known: readonly string[]): string[] {
  const template = /^\s*`([^`]*)`/.exec(call)?.[1];
  if (template !== undefined) {
    if (!/\.\w/.test(template)) return [];
    const pattern = new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '\\w+')}$`);
    return known.filter((key) => pattern.test(key));
  }
  return all(call, /'([\w.]+)'/g);
}

function labelsIn(file: string, known: readonly string[]): string[] {
  const text = read(file);
  const named = [...text.matchAll(/\b(label|title)=\{t\(([^<]*?)\)\}/g)].flatMap((match) => {
    const tag = all(text.slice(0, match.index), /<([A-Z]\w*)/g).at(-1) ?? '';
    const isLabel = match[1] === 'label' ? /Field$|^Choice$/.test(tag) : /^(Setting|Card|Section|Fold)$/.test(tag);
    return isLabel ? keysIn(match[2] ?? '', known) : [];
  });
  const inside = [...text.matchAll(/<(?:SwitchField|CheckField)\b[^<]*?>\s*\{t\(([^<]*?)\)\}/g)];
  return [...named, ...inside.flatMap((match) => keysIn(match[1] ?? '', known))];
}

const textOf = (texts: Readonly<Record<string, string>>, key: string): string | undefined => texts[key];

/** Cuts a placeholder off the end; null for other placeholders, sentences, and texts too short or long for a name. */
function plain(text: string | undefined): string | null {
  const cut = text?.replace(/\s*[（(]\{\w+\}[）)]$/, '').trim() ?? '';
  return /\{|[。.]$/.test(cut) || cut.length < lengths.min || cut.length > lengths.max ? null : cut;
}

/** Returns pinyin initials and full pinyin, for letters and digits only; none without Chinese. */
export function readingsOf(text: string): string[] {
  if (!/[\u3400-\u9fff]/.test(text)) return [];
  const readings = (['first', 'pinyin'] as const).map((pattern) =>
    pinyin(text, { pattern, toneType: 'none', type: 'array', nonZh: 'consecutive', v: true })
      .join('')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  );
  return [...new Set(readings)];
}

function formsOf(known: readonly string[]): Map<string, Place[]> {
  const routes = read(join(src, 'app/routes.ts'));
  const rows = [
    ...routes
      .slice(routes.indexOf('layoutRoutes'))
      .matchAll(/\{ path: '([^']+)'(.*?)import\('\.\.\/(features\/[^']+)'\)/g),
  ];
  const found = new Map<string, Place[]>();
  const put = (files: Iterable<string>, place: Place) => {
    for (const file of files)
      for (const key of labelsIn(file, known)) {
        const places = found.get(key) ?? [];
        if (!places.some(([path]) => path === place[0])) found.set(key, [...places, place]);
      }
  };
  for (const [, path, row, file] of rows) {
    if (repeated.has(path!)) continue;
    const screen = join(src, file!);
    // a form behind a list is opened from there
    const list = path!.includes('$gwid') ? undefined : /parent: '([^']+)'/.exec(row!)?.[1];
    for (const [tab, source] of tabsOf(screen)) put(reach(source), list ? [list, null] : [path!, tab]);
    put(reach(screen), [list ?? path!, null]);
  }
  return found;
}

export function readSettings(): SettingIndex {
  const places: Place[] = [];
  const labels = new Map<string, SettingLabel>();
  const indexOf = ([path, tab]: Place) => {
    const at = places.findIndex((place) => place[0] === path && place[1] === tab);
    return at >= 0 ? at : places.push([path, tab]) - 1;
  };
  for (const [key, where] of formsOf(Object.keys(zh))) {
    const [chinese, english] = [plain(textOf(zh, key)), plain(textOf(en, key))];
    if (chinese === null || english === null) continue;
    const name = `${chinese}\n${english}`;
    const before = labels.get(name)?.[3] ?? [];
    const readings = readingsOf(chinese).join(' ');
    labels.set(name, [chinese, english, readings, [...new Set([...before, ...where.map(indexOf)])]]);
  }
  return { places, labels: [...labels.values()] };
}

export function readingsByKey(texts: Readonly<Record<string, string>>): Record<string, string> {
  const found = Object.entries(texts).map(
    ([key, text]) => [key, text.split(' ').flatMap(readingsOf).join(' ')] as const,
  );
  return Object.fromEntries(found.filter(([, readings]) => readings !== ''));
}
