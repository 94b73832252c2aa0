import { t } from '../../../app/i18n.ts';

export function bandName(band: string | null): string {
  return band === '2G' || band === '5G' || band === '6G' ? t(`wireless.band_${band}`) : (band ?? '—');
}
