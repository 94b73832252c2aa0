// One form field per validation rule of the contract: the right keyboard, the right autocompletion, the rule's own text.
import {
  between,
  type Complaint,
  digits,
  length,
  passwordLength,
  passwordStrength,
  type Rule,
  rules,
} from '@yunxun/contract/rules';
import { type ComponentProps, useId } from 'react';
import { t } from '../app/i18n.ts';
import { PasswordField, TextField } from './field.tsx';
import { Icon } from './icon.tsx';
import { typedMobile } from './typed-mobile.ts';

type Props = Omit<ComponentProps<typeof TextField>, 'rule' | 'type'>;

/** A mobile number of mainland China, also as address books write it. */
export const MobileField = (props: Props) => (
  <TextField
    autoComplete="tel"
    inputMode="tel"
    {...props}
    onChange={(value) => props.onChange(typedMobile(value))}
    rule="mobile"
  />
);
/** An e-mail address. */
export const EmailField = (props: Props) => <TextField autoComplete="email" {...props} rule="email" type="email" />;
/** Six digits sent by SMS or mail, or shown by an app. What is pasted may have spaces between them. */
export const CodeField = (props: Props) => (
  <TextField
    autoComplete="one-time-code"
    inputMode="numeric"
    {...props}
    onChange={(value) => props.onChange(value.replace(/\D/g, '').slice(0, 6))}
    rule={digits(6)}
  />
);
/** Name, remark or group: 1 to 64 characters of name/text. */
export const NameField = (props: Props) => <TextField maxLength={64} {...props} rule="nameText" />;
/** Title or note without the forbidden special characters. */
export const NoteField = (props: Props) => <TextField {...props} rule="noSpecialCharacters" />;
/** A Wi-Fi name: at most 32 bytes. */
export const SsidField = (props: Props) => <TextField {...props} rule="ssid" />;
/** A MAC address; may be empty. */
export const MacField = (props: Props) => <TextField {...props} rule="mac" />;
/** A network in CIDR form; offers the canonical one when host bits are set. */
export const SubnetField = (props: Props) => <TextField placeholder="192.168.1.0/24" {...props} rule="subnet" />;
/** An IP address. */
export const IpField = (props: Props) => <TextField {...props} rule="ip" />;
/** A web address. */
export const UrlField = (props: Props) => <TextField {...props} rule="url" />;
/** HH:MM-HH:MM. */
export const TimeBucketField = (props: Props) => <TextField placeholder="00:00-08:00" {...props} rule="timeBucket" />;
/** Text without quotation marks. */
export const UnquotedField = (props: Props) => <TextField {...props} rule="noQuotes" />;
/** An identity card number. */
export const IdCardField = (props: Props) => <TextField maxLength={18} {...props} rule="idCard" />;
/** A bank card number; spaces are ignored. */
export const BankCardField = (props: Props) => <TextField inputMode="numeric" {...props} rule="bankCard" />;
/** The six digits that release money. */
export const WithdrawalPasswordField = (props: Props) => (
  <PasswordField inputMode="numeric" maxLength={6} {...props} rule="withdrawalPassword" />
);
/** The rule of a whole number from `min` to `max`. */
export const whole = (min: number, max: number): Rule => {
  const bounds = between(min, max);
  return { ...bounds, test: (value) => rules.integer.test(value) && bounds.test(value) };
};
/** A whole number from `min` to `max`. */
export const NumberField = ({ min, max, ...props }: Props & { min: number; max: number }) => (
  <TextField inputMode="numeric" {...props} rule={whole(min, max)} />
);
/** A Wi-Fi key or shared secret: 8 to 63 characters of the password filter. */
export const SecretField = (props: Props) => {
  const bounds = length(8, 63);
  const rule: Rule = {
    ...bounds,
    test: (value) => bounds.test(value) && rules.passwordFilter.test(value),
    explain: (value): Complaint =>
      rules.passwordFilter.test(value)
        ? { key: 'validation.length', params: { min: 8, max: 63 } }
        : { key: 'validation.passwordFilter', params: {} },
  };
  return <PasswordField autoComplete="new-password" {...props} rule={rule} />;
};

/** A new password with its rules as a list that ticks itself off, and its strength. */
export function NewPasswordField(props: Props) {
  const { value } = props;
  const kinds = [/[A-Za-z]/, /\d/, /[~!@#$%^&*?]/].filter((kind) => kind.test(value)).length;
  const foreign = /[^A-Za-z\d~!@#$%^&*?]/.test(value);
  const met = [
    [
      value.length >= passwordLength.min && value.length <= passwordLength.max,
      t('password.rule_length', passwordLength),
    ],
    [kinds >= 2, t('password.rule_kinds')],
    [value !== '' && !foreign, t('password.rule_characters')],
  ] as const;
  const level = passwordStrength(value);
  const list = useId();
  return (
    <div className="stack stack-s">
      <PasswordField autoComplete="new-password" {...props} rule="password" describedBy={list} />
      <ul className="rules" id={list} aria-label={t('password.rules')}>
        {met.map(([ok, text]) => (
          <li key={text} data-met={ok}>
            <Icon name={ok ? 'check' : 'circle'} size={13} />
            {text}
            <span className="sr">{ok ? t('password.met') : t('password.not_met')}</span>
          </li>
        ))}
      </ul>
      <div className="strength" data-level={level} role="img" aria-label={t('password.strength')}>
        <i />
        <i />
        <i />
        <span>{t(`password.strength_${level}`)}</span>
      </div>
    </div>
  );
}
