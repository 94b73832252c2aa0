import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { mac } from '../../ui/format.ts';
import type { Tone } from '../../ui/status.tsx';

/** A terminal as the list gives it. */
export type UserRow = Row<'/api/v3/user_online/list'>;

/** What a terminal is called: its remark, host name or MAC. */
export function nameOf(row: Pick<UserRow, 'remark' | 'hostname' | 'mac'>): string {
  return row.remark || row.hostname || mac(row.mac);
}

/** A band in GHz, 0 for a cable. */
export function bandName(band: number): string {
  return band === 0 || band === 2 || band === 5 || band === 6 ? t(`users.band_${band}`) : String(band);
}

/** dBm below which a signal is only fair, and weak: the same as in the wireless monitor. */
const fair = -60;
export const weakSignal = -75;

/** How good a signal is: told by word and shape, not by colour alone. */
export function signalLook(rssi: number): { tone: Tone; shape: 'dot' | 'ring' | 'triangle'; word: string } {
  if (rssi > fair) return { tone: 'ok', shape: 'dot', word: t('users.signal_good') };
  if (rssi > weakSignal) return { tone: 'none', shape: 'ring', word: t('users.signal_fair') };
  return { tone: 'warn', shape: 'triangle', word: t('users.signal_weak') };
}

/** What a terminal is, in words: brand and system or type. */
export function terminalText({ terminal }: Pick<UserRow, 'terminal'>): string {
  const kind = terminal.os ?? (terminal.type ? t(`users.type_${terminal.type}`) : null);
  return [terminal.brand, kind].filter(Boolean).join(' · ') || t('users.type_unknown');
}

/** Who says what the terminal is. */
export function sourceText(source: string | null): string | undefined {
  switch (source) {
    case 'fingerprint':
    case 'user_agent':
    case 'hostname':
    case 'oui':
      return t(`users.source_${source}`);
    default:
      return undefined;
  }
}
