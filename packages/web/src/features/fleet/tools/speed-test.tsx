import { t } from '../../../app/i18n.ts';
import { bytes } from '../../../ui/format.ts';
import type { RunDetail } from './labels.ts';

type Speed = NonNullable<RunDetail['speed']>;

export function SpeedTest({ speed }: { speed: Speed }) {
  return (
    <>
      <dl className="facts">
        <dt>{t('tools.speed_down')}</dt>
        <dd>{sample(speed.down)}</dd>
        <dt>{t('tools.speed_up')}</dt>
        <dd>{sample(speed.up)}</dd>
      </dl>
      <p className="small dim">{t('tools.speed_hint')}</p>
    </>
  );
}

function sample(way: Speed['down']): string {
  if (way === null) return '—';
  const { mbps, bytes: size, seconds } = way;
  return t('tools.speed_sample', { mbps, size: bytes(size), seconds: Math.round(seconds * 10) / 10 });
}
