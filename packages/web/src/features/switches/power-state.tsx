import { t } from '../../app/i18n.ts';
import { exactTime } from '../../ui/format.ts';
import type { Port } from './labels.ts';

const shownMs = 60 * 60_000;

export function PowerState({ port, asOf }: { port: Pick<Port, 'cycled_at' | 'poe' | 'up'>; asOf: string | null }) {
  if (port.cycled_at === null || Date.now() - Date.parse(port.cycled_at) > shownMs) return null;
  const at = exactTime(new Date(port.cycled_at));
  if (asOf === null || asOf <= port.cycled_at) return <p className="notice">{t('ports.cycled_waiting', { at })}</p>;
  const report = exactTime(new Date(asOf));
  const watts = port.poe?.watts ?? null;
  const power =
    watts === null
      ? t('ports.cycled_unsaid')
      : watts > 0
        ? t('ports.cycled_power', { n: watts })
        : t('ports.cycled_none');
  return (
    <p className={watts === 0 || !port.up ? 'notice notice-warn' : 'notice'}>
      {t(port.up ? 'ports.cycled_up' : 'ports.cycled_down', { at, report, power })}
    </p>
  );
}
