import type { Data } from '../../app/api.ts';
import { t, textOf } from '../../app/i18n.ts';

export type Finding = Data<'/api/v3/device/config/get'>['findings'][number];

export function findingText(finding: Finding): string {
  const reported = textOf(`finding.${finding.code}`, finding.params) ?? finding.code;
  const band = /radios\.(2G|5G|6G)/.exec(finding.field)?.[1] as '2G' | '5G' | '6G' | undefined;
  const about = band
    ? t(`wireless.band_${band}`)
    : finding.field.startsWith('ssids.') && typeof finding.params.name === 'string'
      ? finding.params.name
      : null;
  return about ? t('finding.about', { about, said: reported }) : reported;
}
