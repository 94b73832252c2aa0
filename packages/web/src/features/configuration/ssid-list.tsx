import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../app/api-error.ts';
import { t } from '../../app/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { keyed, newSsid, type PasswordRule, type SsidDraft } from './draft.ts';
import { SsidDialog } from './ssid-dialog.tsx';
import './configuration.css';

/** Maximum number of SSIDs per network (configuration-shapes). */
const MOST = 16;

export function SsidList(props: {
  ssids: readonly SsidDraft[];
  change: (ssids: readonly SsidDraft[]) => void;
  fields: ApiError['fields'];
  readOnly: boolean;
  rules?: readonly PasswordRule[];
  /** Text of the empty list; default: its meaning for a network. */
  none?: string;
  extra?: ((ssid: SsidDraft) => ReactNode) | undefined;
}) {
  const [open, setOpen] = useState<SsidDraft | null>(null);
  const known = (ssid: SsidDraft) => props.ssids.some((each) => each.ref === ssid.ref);
  const add = !props.readOnly && props.ssids.length < MOST && (
    <Button icon="plus" onClick={() => setOpen(newSsid())}>
      {t('wireless.add')}
    </Button>
  );
  return (
    <Card title={t('wireless.ssids')} actions={props.ssids.length > 0 && add} flush>
      {props.ssids.length === 0 ? (
        <Empty icon="wifi" title={t('wireless.none')} actions={add} small>
          {props.none ?? t('wireless.none_body')}
        </Empty>
      ) : (
        <ul className="ssids">
          {props.ssids.map((ssid, index) => (
            <li key={ssid.ref} className={props.extra ? 'ssid-beside' : undefined}>
              {props.extra?.(ssid)}
              <button type="button" className="ssid-line" disabled={props.readOnly} onClick={() => setOpen(ssid)}>
                <Icon name="wifi" />
                <strong className="ellipsis">{ssid.name}</strong>
                <span className="quiet">{t(`wireless.security_${ssid.security}`)}</span>
                <span className="tags">
                  {ssid.bands.map((band) => (
                    <span key={band} className="label">
                      {t(`wireless.band_${band}`)}
                    </span>
                  ))}
                </span>
                <span className="dim small">
                  {[
                    ssid.enabled ? '' : t('wireless.disabled'),
                    ssid.vlan === null ? '' : `VLAN ${ssid.vlan}`,
                    ssid.hidden ? t('wireless.hidden') : '',
                    keyed.includes(ssid.security) && !ssid.key && !ssid.key_set ? t('wireless.no_key') : '',
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
                {!props.readOnly && <Icon name="chevron_right" size={16} />}
              </button>
              {fieldErrorsOf(props.fields, index).map((reported) => (
                <p key={reported} className="field-error ssid-wrong">
                  {reported}
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
      {open && (
        <SsidDialog
          ssid={open}
          isNew={!known(open)}
          rules={props.rules ?? []}
          taken={props.ssids.filter((each) => each.ref !== open.ref).map((each) => each.name.trim())}
          onClose={() => setOpen(null)}
          onRemove={() => {
            props.change(props.ssids.filter((each) => each.ref !== open.ref));
            setOpen(null);
          }}
          onDone={(ssid) => {
            props.change(
              known(ssid) ? props.ssids.map((each) => (each.ref === ssid.ref ? ssid : each)) : [...props.ssids, ssid],
            );
            setOpen(null);
          }}
        />
      )}
    </Card>
  );
}

function fieldErrorsOf(fields: ApiError['fields'], index: number): string[] {
  const own = Object.entries(fields).filter(
    ([name]) => name === `ssids.${index}` || name.startsWith(`ssids.${index}.`),
  );
  return own.flatMap(([, messages]) => messages.slice(0, 1));
}
