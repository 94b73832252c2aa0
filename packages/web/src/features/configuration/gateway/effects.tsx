import type { Data } from '../../../app/api.ts';
import { t, textOf } from '../../../app/i18n.ts';
import { listed } from '../../../ui/refusal.ts';

type Effect = Data<'/api/v3/network/gateway/preview'>['effects'][number];

export function Effects({ effects }: { effects: readonly Effect[] }) {
  return effects.map((effect) => (
    <div
      key={`${effect.id} ${effect.effect} ${effect.from}`}
      className={effect.effect === 'sdwan_follows' ? 'notice' : 'notice notice-warn'}
    >
      <div>
        <p>{t(`gateway.effect_${effect.effect}`, paramsOf(effect))}</p>
        {effect.errors.length > 0 && (
          <ul>
            {effect.errors.map(({ code, key, field, params }) => (
              <li key={`${code} ${key} ${field}`}>{textOf(`sdwan.error.${code}`, params) ?? code}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  ));
}

function paramsOf({ name, from, to, gateways, more }: Effect) {
  const rest = gateways.length > 0 ? t('gateway.effect_more', { n: more }) : t('gateway.effect_count', { n: more });
  const names = listed(more > 0 ? [...gateways, rest] : gateways);
  return { name, from, to: to ?? '', names };
}
