import { isRandomMac } from '@yunxun/contract/device';
import type { Guess } from '../extract/stations.ts';
import { brandOfMac } from './oui.ts';

/** Most reliable first. */
export const terminalSources = ['fingerprint', 'user_agent', 'hostname', 'oui'] as const;
export type TerminalSource = (typeof terminalSources)[number];

/** `type`: one of `terminalTypes`. */
export interface Terminal {
  type: TerminalType | null;
  typeSource: TerminalSource | null;
  brand: string | null;
  brandSource: TerminalSource | null;
  os: string | null;
}
export type TerminalType = 'android' | 'ios' | 'mac' | 'windows';

interface Clue {
  pattern: RegExp;
  type?: TerminalType;
  brand?: string;
  os?: string;
}

/** The first match decides each field. */
const clues: readonly Clue[] = [
  { pattern: /\b(iphone|ipad|ipod)/i, type: 'ios', brand: 'Apple', os: 'iOS' },
  { pattern: /\b(ios|ipados)\b/i, type: 'ios', brand: 'Apple', os: 'iOS' },
  {
    pattern: /\b(macbook|imac|mac ?mini|mac ?pro|mac ?studio|macos|mac os)|\bmbp\b|\bmba\b/i,
    type: 'mac',
    brand: 'Apple',
    os: 'macOS',
  },
  { pattern: /\bandroid/i, type: 'android', os: 'Android' },
  { pattern: /\b(windows|desktop-[0-9a-z]{7}\b|laptop-[0-9a-z]{8}\b)/i, type: 'windows', os: 'Windows' },
  { pattern: /\b(galaxy|samsung|sm-[a-z]\d)/i, brand: 'Samsung' },
  { pattern: /\b(huawei|matepad|mate ?\d0)/i, brand: 'Huawei' },
  { pattern: /\bhonor\b/i, brand: 'Honor' },
  { pattern: /\b(xiaomi|redmi|poco)|\bmi[- ]?\d/i, brand: 'Xiaomi' },
  { pattern: /\b(oppo|realme)\b/i, brand: 'OPPO' },
  { pattern: /\bvivo\b/i, brand: 'vivo' },
  { pattern: /\boneplus\b/i, brand: 'OnePlus' },
  { pattern: /\b(google )?pixel[- ]?\d/i, type: 'android', brand: 'Google', os: 'Android' },
  { pattern: /\blenovo|thinkpad/i, brand: 'Lenovo' },
  { pattern: /\bapple\b/i, brand: 'Apple' },
  { pattern: /\b(microsoft|surface)\b/i, brand: 'Microsoft' },
  { pattern: /\b(dell)\b/i, brand: 'Dell' },
  { pattern: /\b(hewlett|hp)\b/i, brand: 'HP' },
  { pattern: /\basus/i, brand: 'ASUS' },
];

/** These run Android, except Apple's and Microsoft's. */
const handset = /\b(phone|smartphone|tablet|mobile)\b/i;

function read(text: string): Pick<Terminal, 'type' | 'brand' | 'os'> {
  const found: Pick<Terminal, 'type' | 'brand' | 'os'> = { type: null, brand: null, os: null };
  if (text === '') return found;
  for (const { pattern, type, brand, os } of clues) {
    if (!pattern.test(text)) continue;
    found.type ??= type ?? null;
    found.brand ??= brand ?? null;
    found.os ??= os ?? null;
  }
  return found;
}

export function readUserAgent(agent: string): Pick<Terminal, 'type' | 'brand' | 'os'> {
  const version = (pattern: RegExp) => pattern.exec(agent)?.[1]?.replaceAll('_', '.');
  if (/\b(iPhone|iPad|iPod)\b/.test(agent)) {
    const number = version(/ OS (\d+(?:_\d+)?)/);
    return { type: 'ios', brand: 'Apple', os: number ? `iOS ${number}` : 'iOS' };
  }
  if (/\bAndroid\b/.test(agent)) {
    const number = version(/Android (\d+(?:\.\d+)?)/);
    return { type: 'android', brand: read(agent).brand, os: number ? `Android ${number}` : 'Android' };
  }
  if (/\bWindows NT\b/.test(agent)) return { type: 'windows', brand: null, os: 'Windows' };
  if (/\bMacintosh\b/.test(agent)) return { type: 'mac', brand: 'Apple', os: 'macOS' };
  return { type: null, brand: null, os: null };
}

/** Identifies a client; each field keeps its source. Random MACs have no vendor. */
export function terminalOf(reported: {
  mac: string;
  hostname: string | null;
  guess: Guess | null;
  userAgent?: string | null;
}): Terminal {
  const { mac, hostname, guess, userAgent } = reported;
  const words = guess ? [guess.vendor, guess.device, guess.class, guess.name].filter(Boolean).join(' ') : '';
  const fingerprint = read(words);
  if (!fingerprint.type && handset.test(words) && fingerprint.brand && !/Apple|Microsoft/.test(fingerprint.brand))
    fingerprint.type = 'android';
  if (guess?.vendor && !fingerprint.brand) fingerprint.brand = guess.vendor;
  const sources: [TerminalSource, Pick<Terminal, 'type' | 'brand' | 'os'>][] = [
    ['fingerprint', fingerprint],
    ['user_agent', userAgent ? readUserAgent(userAgent) : read('')],
    ['hostname', hostname ? read(hostname.replaceAll('_', '-')) : read('')],
    ['oui', { type: null, brand: isRandomMac(mac) ? null : brandOfMac(mac), os: null }],
  ];
  const terminal: Terminal = { type: null, typeSource: null, brand: null, brandSource: null, os: null };
  for (const [source, { type, brand, os }] of sources) {
    if (type && !terminal.type) Object.assign(terminal, { type, typeSource: source });
    if (brand && !terminal.brand) Object.assign(terminal, { brand, brandSource: source });
    terminal.os ??= os;
  }
  return terminal;
}
