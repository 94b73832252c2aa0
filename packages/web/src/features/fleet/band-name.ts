import { t } from '../../app/i18n.ts';

/** A radio's band in the page's language; one that the catalogue does not know, in the device's own word. */
export function bandName(band: string | null): string {
  return band === '2G' || band === '5G' || band === '6G' ? t(`wireless.band_${band}`) : (band ?? '—');
}
