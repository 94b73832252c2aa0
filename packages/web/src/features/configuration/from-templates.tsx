import { t } from '../../app/i18n.ts';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import type { PasswordRule, WirelessSettings } from './draft.ts';
import { SetByRule } from './ssid-dialog.tsx';

export function FromTemplates(props: {
  ssids: WirelessSettings['templates']['ssids'];
  rules: readonly PasswordRule[];
}) {
  const { ssids } = props;
  if (ssids.length === 0) return null;
  return (
    <Card title={t('wireless.from_templates')}>
      <p className="quiet">{t('wireless.from_templates_body')}</p>
      <table className="plain-table">
        <tbody>
          {ssids.map(({ name, security, bands, vlan, source }) => {
            const rule = props.rules.find((one) => one.ssid === name);
            return (
              <tr key={name}>
                <td>
                  <strong>{name}</strong>
                  {rule && (
                    <div className="small quiet">
                      <SetByRule rule={rule} />
                    </div>
                  )}
                </td>
                <td>{t(`wireless.security_${security}`)}</td>
                <td>
                  <span className="tags">
                    {bands.map((band) => (
                      <span key={band} className="label">
                        {t(`wireless.band_${band}`)}
                      </span>
                    ))}
                  </span>
                </td>
                <td className="dim">{vlan === null ? '' : `VLAN ${vlan}`}</td>
                <td>
                  <span className="row nowrap">
                    {t('wireless.from_template', { name: source.name })}
                    {source.locked && (
                      <span title={t('values.locked')}>
                        <Icon name="lock" size={13} />
                        <span className="sr">{t('values.locked')}</span>
                      </span>
                    )}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}
