import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { Failed } from '../../ui/empty.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import type { Wrong } from '../../ui/use-form.ts';
import { firstOf } from './captive-fields.tsx';

type Wireless = Data<'/api/v3/portal/site'>['wireless'];

/** The firmware gates one VLAN: the first chosen SSID decides which. */
export function blockedBy({ ssids }: Wireless, chosen: readonly string[], id: string): 'keys' | 'vlan' | null {
  const own = ssids.find((one) => one.id === id);
  if (!own || chosen.includes(id)) return null;
  if (own.obstacle !== null) return 'keys';
  const first = ssids.find((one) => chosen.includes(one.id));
  return first && first.vlan !== own.vlan ? 'vlan' : null;
}

export function AccessPointFields(props: {
  wireless: Wireless;
  chosen: readonly string[];
  wrong: Wrong<string>;
  disabled: boolean;
  onChange: (chosen: readonly string[]) => void;
}) {
  const { wireless, chosen, wrong, disabled, onChange } = props;
  const { ssids, access_points: total, unable } = wireless;
  const toggle = (id: string, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id));
  const gone = chosen.filter((id) => !ssids.some((one) => one.id === id));
  const error = firstOf(wrong, 'access_points');
  return (
    <fieldset className="field portal-lans">
      <legend className="field-label">{t('site_portal.gate_ssids')}</legend>
      {ssids.length === 0 && (
        <p>
          {t('site_portal.gate_none')} <Link to="/networks">{t('site_portal.gate_open')}</Link>
        </p>
      )}
      {ssids.map(({ id, name, vlan, enabled }) => {
        const blocked = blockedBy(wireless, chosen, id);
        return (
          <div key={id}>
            <CheckField
              checked={chosen.includes(id)}
              onChange={(on) => toggle(id, on)}
              disabled={disabled || blocked !== null}
            >
              {vlan === null ? name : t('site_portal.captive_lan_vlan', { name, vlan })}
            </CheckField>
            {blocked !== null && <p className="small dim">{t(`site_portal.gate_blocked_${blocked}`)}</p>}
            {!enabled && <p className="small dim">{t('site_portal.gate_ssid_off')}</p>}
          </div>
        );
      })}
      {gone.map((id) => (
        <CheckField key={id} checked onChange={() => toggle(id, false)} disabled={disabled}>
          {t('site_portal.gate_ssid_gone')}
        </CheckField>
      ))}
      <div className="field-hint">{t('site_portal.gate_ssids_hint')}</div>
      {total === 0 && <p className="notice">{t('site_portal.gate_no_access_points')}</p>}
      {unable.length > 0 && (
        <p className="notice">
          {t('site_portal.gate_unable', { n: unable.length, names: unable.map(({ name }) => name).join(', ') })}
        </p>
      )}
      {error && (
        <div className="field-error" role="alert">
          {error}
        </div>
      )}
    </fieldset>
  );
}

export function AccessPointEffects(props: { gwid: string; template: string; ssids: readonly string[] }) {
  const { gwid, template, ssids } = props;
  const asked = { gwid, template_id: template, ssids: [...ssids] };
  const { data, error, refetch } = useRead('/api/v3/portal/access_point/preview', asked);
  if (error && !data) return <Failed small error={error} retry={() => void refetch()} />;
  if (!data?.totals.changed) return null;
  const { changed, devices, offline, terminals } = data.totals;
  return (
    <div className="notice" aria-live="polite">
      <p>{t('site_portal.gate_effect', { changed, devices })}</p>
      {terminals > 0 && <p>{t('site_portal.gate_effect_clients', { n: terminals })}</p>}
      {offline > 0 && <p>{t('site_portal.gate_effect_offline', { n: offline })}</p>}
    </div>
  );
}
