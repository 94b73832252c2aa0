import { t } from '../../app/i18n.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { mac as macText } from '../../ui/format.ts';
import type { Draft, Host } from './found-host.ts';
import { peripheralTypes } from './peripheral.ts';

interface Props {
  hosts: readonly Host[];
  chosen: ReadonlySet<string>;
  onChosen: (chosen: ReadonlySet<string>) => void;
  draftOf: (host: Host) => Draft;
  onDraft: (ip: string, draft: Draft) => void;
  wrong: Readonly<Record<string, string>>;
}

export function ScanHosts({ hosts, chosen, onChosen, draftOf, onDraft, wrong }: Props) {
  const toggle = (ip: string) => {
    const next = new Set(chosen);
    if (!next.delete(ip)) next.add(ip);
    onChosen(next);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too
    <div className="peripheral-rows" tabIndex={0}>
      <table className="table" aria-label={t('peripherals.found')}>
        <thead>
          <tr>
            <th scope="col">{t('peripherals.ip')}</th>
            <th scope="col">{t('peripherals.name')}</th>
            <th scope="col">{t('peripherals.type')}</th>
            <th scope="col">{t('peripherals.model_vendor')}</th>
            <th scope="col">{t('peripherals.open_ports')}</th>
          </tr>
        </thead>
        <tbody>
          {hosts.map((host) => {
            const draft = draftOf(host);
            const { ip, known } = host;
            return (
              <tr key={ip}>
                <td>
                  <label className="check">
                    <input
                      type="checkbox"
                      checked={chosen.has(ip)}
                      disabled={known !== null}
                      onChange={() => toggle(ip)}
                    />
                    <span>{ip}</span>
                  </label>
                  {known !== null && <div className="small dim">{t('peripherals.known_as', { name: known })}</div>}
                  {wrong[ip] && (
                    <div className="field-error" role="alert">
                      {wrong[ip]}
                    </div>
                  )}
                </td>
                <td>
                  {known ?? (
                    <TextField
                      hideLabel
                      label={t('peripherals.name_of', { ip })}
                      rule="freeText"
                      maxLength={64}
                      value={draft.name}
                      onChange={(name) => onDraft(ip, { ...draft, name })}
                    />
                  )}
                </td>
                <td>
                  {known === null && (
                    <SelectField
                      hideLabel
                      small
                      label={t('peripherals.type_of', { ip })}
                      value={draft.type}
                      options={peripheralTypes.map((value) => ({ value, label: t(`peripherals.type_${value}`) }))}
                      onChange={(type) => onDraft(ip, { ...draft, type })}
                    />
                  )}
                  {known === null && host.guess && (
                    <div className="small dim">{t(`peripherals.guess_${host.guess}`)}</div>
                  )}
                </td>
                <td>
                  {host.model ?? host.vendor ?? '—'}
                  {host.model !== null && host.vendor !== null && <div className="small dim">{host.vendor}</div>}
                  {host.mac && <div className="small dim mono">{macText(host.mac)}</div>}
                </td>
                <td>{host.ports.join(', ') || '—'}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
