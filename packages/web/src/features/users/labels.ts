import type { Row } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { mac } from '../../ui/format.ts';
import type { Tone } from '../../ui/status.tsx';

export type UserRow = Row<'/api/v3/user_online/list'>;

export function nameOf(row: Pick<UserRow, 'remark' | 'hostname' | 'mac'>): string {
  return row.remark || row.hostname || mac(row.mac);
}

export function bandName(band: number): string {
  return band === 0 || band === 2 || band === 5 || band === 6 ? t(`users.band_${band}`) : String(band);
}

/** Lower limits of a good and a fair signal, in dBm, as in the wireless monitor. */
const fair = -60;
export const weakSignal = -75;

/** Returns a signal's quality as word and shape, because colour alone is not accessible. */
export function signalView(rssi: number): { tone: Tone; shape: 'bars_1' | 'bars_2' | 'bars_3'; word: string } {
  if (rssi > fair) return { tone: 'ok', shape: 'bars_3', word: t('users.signal_good') };
  if (rssi > weakSignal) return { tone: 'none', shape: 'bars_2', word: t('users.signal_fair') };
  return { tone: 'warn', shape: 'bars_1', word: t('users.signal_weak') };
}

export function terminalText({ terminal }: Pick<UserRow, 'terminal'>): string {
  const kind = terminal.os ?? (terminal.type ? t(`users.type_${terminal.type}`) : null);
  return [terminal.brand, kind].filter(Boolean).join(' · ') || t('users.type_unknown');
}

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
