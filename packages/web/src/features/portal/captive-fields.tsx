import { networkText, readSubnet } from '@yunxun/contract/ipv4';
import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { CheckField } from '../../ui/field.tsx';
import { useShownError } from '../../ui/shown-error.ts';
import { TextAreaField } from '../../ui/text-area-field.tsx';
import type { Wrong } from '../../ui/use-form.ts';
import { type CaptiveDraft, countOf, rangeError } from './captive-draft.ts';
import { ExemptFields } from './exempt-fields.tsx';

type Edge = Data<'/api/v3/portal/site'>['edge'];

interface Props {
  gwid: string;
  edge: Edge;
  draft: CaptiveDraft;
  /** The draft that `wrong` is about. */
  sent: CaptiveDraft;
  wrong: Wrong<string>;
  disabled: boolean;
  onChange: (draft: CaptiveDraft) => void;
}

export const firstOf = (wrong: Wrong<string>, name: string) =>
  Object.entries(wrong).find(([field]) => field.startsWith(name))?.[1];

const toggled = (all: readonly string[], one: string, on: boolean) =>
  on ? [...all, one] : all.filter((other) => other !== one);

const namedLan = (name: string, vlan: number | null) =>
  vlan === null ? name : t('site_portal.captive_lan_vlan', { name, vlan });

function withSubnet(name: string, text: string | null): string {
  const subnet = readSubnet(text);
  return subnet === null ? name : t('site_portal.captive_lan_subnet', { name, subnet: networkText(subnet) });
}

/** Networks of the gateway that guests sign in on, and clients that need no sign-in. */
export function CaptiveFields(props: Props) {
  const { gwid, edge, draft, wrong, disabled, onChange } = props;
  return (
    <>
      {edge.reason !== null && <p className="field-error">{t(`site_portal.captive_${edge.reason}`)}</p>}
      {edge.lacks.map((lack) => (
        <p key={lack} className="notice">
          {t(`site_portal.lack_${lack}`)}
        </p>
      ))}
      <Lans {...props} />
      <Ssids {...props} />
      <ExemptFields
        gwid={gwid}
        draft={draft}
        error={firstOf(wrong, 'captive.exempt_')}
        disabled={disabled}
        onChange={(devices) => onChange({ ...draft, ...devices })}
      />
    </>
  );
}

function Lans({ edge, draft, sent, wrong, disabled, onChange }: Props) {
  const gone = draft.lans.filter((lan) => !edge.lans.some(({ name }) => name === lan));
  const known = [...edge.lans, ...gone.map((name) => ({ name, vlan: null, subnet: null }))];
  return (
    <fieldset className="field portal-lans">
      <legend className="field-label">{t('site_portal.captive_lans')}</legend>
      {known.map(({ name, vlan, subnet }) => (
        <div key={name}>
          <CheckField
            checked={draft.lans.includes(name)}
            onChange={(on) => onChange({ ...draft, lans: toggled(draft.lans, name, on) })}
            disabled={disabled}
          >
            {namedLan(name, vlan)}
          </CheckField>
          {draft.lans.includes(name) && (
            <RangeField
              name={name}
              subnet={subnet}
              text={draft.ranges[name] ?? ''}
              error={rangeError(wrong, sent, name)}
              old={edge.lacks.includes('ranges_version')}
              disabled={disabled}
              onChange={(text) => onChange({ ...draft, ranges: { ...draft.ranges, [name]: text } })}
            />
          )}
        </div>
      ))}
      <div className="field-hint">{t('site_portal.captive_lans_hint')}</div>
      <Alert text={firstOf(wrong, 'captive.lans') ?? rangeError(wrong, sent, null)} />
    </fieldset>
  );
}

function RangeField(props: {
  name: string;
  subnet: string | null;
  text: string;
  error: string | null;
  /** The agent does not know ranges. */
  old: boolean;
  disabled: boolean;
  onChange: (text: string) => void;
}) {
  const { name, subnet, text, old, disabled, onChange } = props;
  const error = useShownError(props.error, text);
  // what an older agent cannot do may be taken back
  const isFixed = old && text === '';
  const count = countOf(text, subnet);
  const hint = () => {
    if (old) return t('site_portal.ranges_version');
    if (text.trim() === '') return t('site_portal.ranges_none');
    return count === null ? t('site_portal.ranges_hint') : t('site_portal.ranges_count', count);
  };
  return (
    <TextAreaField
      label={t('site_portal.ranges', { network: withSubnet(name, subnet) })}
      hint={hint()}
      error={error}
      rows={2}
      mono
      value={text}
      disabled={disabled || isFixed}
      onChange={onChange}
    />
  );
}

function Ssids({ edge, draft, wrong, disabled, onChange }: Props) {
  const gone = draft.ssids.filter((id) => !edge.ssids.some((ssid) => ssid.id === id));
  if (edge.ssids.length + gone.length === 0) return null;
  const change = (id: string, on: boolean) => onChange({ ...draft, ssids: toggled(draft.ssids, id, on) });
  return (
    <fieldset className="field portal-lans">
      <legend className="field-label">{t('site_portal.captive_ssids')}</legend>
      {edge.ssids.map(({ id, name, vlan, lan, obstacle }) => (
        <div key={id}>
          <CheckField
            checked={draft.ssids.includes(id)}
            onChange={(on) => change(id, on)}
            disabled={disabled || (obstacle !== null && !draft.ssids.includes(id))}
          >
            {namedLan(name, vlan)}
          </CheckField>
          <p className="small dim">
            {obstacle === null
              ? ssidText(edge, lan ?? '', id)
              : t(`site_portal.captive_${obstacle}`, { vlan: vlan ?? 0 })}
          </p>
        </div>
      ))}
      {gone.map((id) => (
        <CheckField key={id} checked onChange={() => change(id, false)} disabled={disabled}>
          {t('site_portal.gate_ssid_gone')}
        </CheckField>
      ))}
      <div className="field-hint">{t('site_portal.captive_ssids_hint')}</div>
      <Alert text={firstOf(wrong, 'captive.ssids')} />
    </fieldset>
  );
}

function ssidText({ ssids }: Edge, lan: string, id: string): string {
  const others = ssids.filter((ssid) => ssid.lan === lan && ssid.id !== id).map(({ name }) => name);
  return others.length === 0
    ? t('site_portal.captive_ssid_lan', { lan })
    : t('site_portal.captive_ssid_shared', { lan, others: others.join(', ') });
}

function Alert({ text }: { text: string | null | undefined }) {
  return text ? (
    <div className="field-error" role="alert">
      {text}
    </div>
  ) : null;
}
