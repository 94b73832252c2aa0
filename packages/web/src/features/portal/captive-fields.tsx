import type { Data } from '../../app/api.ts';
import { t } from '../../app/i18n.ts';
import { CheckField, Field } from '../../ui/field.tsx';
import type { Wrong } from '../../ui/use-form.ts';

type Edge = Data<'/api/v3/portal/site'>['edge'];

/** What the card edits: lines of text are MACs and addresses as typed. */
export interface CaptiveDraft {
  lans: readonly string[];
  macs: string;
  addresses: string;
}

type Captive = Data<'/api/v3/portal/site'>['site']['captive'];

export const draftOf = ({ lans, exempt_macs: macs, exempt_addresses: addresses }: Captive): CaptiveDraft => ({
  lans,
  macs: macs.join('\n'),
  addresses: addresses.join('\n'),
});

const linesOf = (text: string) => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

/** Returns the settings of a draft; MACs may be typed with any separator. */
export function captiveOf({ lans, macs, addresses }: CaptiveDraft): Captive {
  const colons = (mac: string) => {
    const hex = mac.toLowerCase().replace(/[:.-]/g, '');
    return /^[0-9a-f]{12}$/.test(hex) ? hex.match(/../g)!.join(':') : mac;
  };
  return { lans: [...lans], exempt_macs: linesOf(macs).map(colons), exempt_addresses: linesOf(addresses) };
}

export const firstOf = (wrong: Wrong<string>, name: string) =>
  Object.entries(wrong).find(([field]) => field.startsWith(name))?.[1];

/** Networks of the gateway that guests sign in on, and clients that need no sign-in. */
export function CaptiveFields(props: {
  edge: Edge;
  draft: CaptiveDraft;
  wrong: Wrong<string>;
  disabled: boolean;
  onChange: (draft: CaptiveDraft) => void;
}) {
  const { edge, draft, wrong, disabled, onChange } = props;
  const toggle = (name: string, on: boolean) =>
    onChange({ ...draft, lans: on ? [...draft.lans, name] : draft.lans.filter((one) => one !== name) });
  const wrongLans = firstOf(wrong, 'captive.lans');
  const gone = draft.lans.filter((lan) => !edge.lans.some(({ name }) => name === lan));
  return (
    <>
      {edge.reason !== null && <p className="field-error">{t(`site_portal.captive_${edge.reason}`)}</p>}
      {edge.lacks.map((lack) => (
        <p key={lack} className="notice">
          {t(`site_portal.lack_${lack}`)}
        </p>
      ))}
      <fieldset className="field portal-lans">
        <legend className="field-label">{t('site_portal.captive_lans')}</legend>
        {[...edge.lans, ...gone.map((name) => ({ name, vlan: null }))].map(({ name, vlan }) => (
          <CheckField
            key={name}
            checked={draft.lans.includes(name)}
            onChange={(on) => toggle(name, on)}
            disabled={disabled}
          >
            {vlan === null ? name : t('site_portal.captive_lan_vlan', { name, vlan })}
          </CheckField>
        ))}
        <div className="field-hint">{t('site_portal.captive_lans_hint')}</div>
        {wrongLans && (
          <div className="field-error" role="alert">
            {wrongLans}
          </div>
        )}
      </fieldset>
      {(['macs', 'addresses'] as const).map((field) => (
        <Field
          key={field}
          label={t(`site_portal.exempt_${field}`)}
          hint={t(`site_portal.exempt_${field}_hint`)}
          error={firstOf(wrong, `captive.exempt_${field}`)}
        >
          {({ id, describedBy, invalid }) => (
            <textarea
              id={id}
              className="input mono"
              rows={3}
              spellCheck={false}
              value={draft[field]}
              disabled={disabled}
              aria-describedby={describedBy}
              aria-invalid={invalid}
              onChange={(event) => onChange({ ...draft, [field]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </>
  );
}
