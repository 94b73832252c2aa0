import { between, digits, passwordLength, passwordStrength, type Rule, rules } from '@yunxun/contract/rules';
import { typedMobile } from '@yunxun/contract/typed-text';
import { type ComponentProps, useId } from 'react';
import { t } from '../app/i18n.ts';
import { PasswordField, TextField } from './field.tsx';
import { Icon } from './icon.tsx';

type Props = Omit<ComponentProps<typeof TextField>, 'rule' | 'type'>;

export const MobileField = (props: Props) => (
  <TextField
    autoComplete="tel"
    inputMode="tel"
    {...props}
    onChange={(value) => props.onChange(typedMobile(value))}
    rule="mobile"
  />
);
export const EmailField = (props: Props) => <TextField autoComplete="email" {...props} rule="email" type="email" />;
export const CodeField = (props: Props) => (
  <TextField
    autoComplete="one-time-code"
    inputMode="numeric"
    {...props}
    onChange={(value) => props.onChange(value.replace(/\D/g, '').slice(0, 6))}
    rule={digits(6)}
  />
);
export const NameField = (props: Props) => <TextField maxLength={64} {...props} rule="nameText" />;
/** Outer blanks are cut on saving. */
export const FreeTextField = (props: Props) => <TextField maxLength={64} {...props} rule="freeText" />;
/** Points out outer blanks, which stay. */
export const SsidField = (props: Props) => (
  <TextField
    {...props}
    {...(props.value.trim() === props.value ? {} : { hint: t('field.outer_blanks') })}
    rule="ssid"
  />
);
export const MacField = (props: Props) => <TextField {...props} rule="mac" />;
/** Suggests the canonical network if host bits are set. */
export const SubnetField = (props: Props) => <TextField placeholder="192.168.1.0/24" {...props} rule="subnet" />;
export const IpField = (props: Props) => <TextField {...props} rule="ip" />;
export const UrlField = (props: Props) => <TextField {...props} rule="url" />;
export const UnquotedField = (props: Props) => <TextField {...props} rule="noQuotes" />;
export const IdCardField = (props: Props) => <TextField maxLength={18} {...props} rule="idCard" />;
export const BankCardField = (props: Props) => <TextField inputMode="numeric" {...props} rule="bankCard" />;
export const WithdrawalPasswordField = (props: Props) => (
  <PasswordField inputMode="numeric" maxLength={6} {...props} rule="withdrawalPassword" />
);
export const whole = (min: number, max: number): Rule => {
  const bounds = between(min, max);
  return { ...bounds, test: (value) => rules.integer.test(value) && bounds.test(value) };
};
export const NumberField = ({ min, max, ...props }: Props & { min: number; max: number }) => (
  <TextField inputMode="numeric" {...props} rule={whole(min, max)} />
);
/** Points out outer blanks, which stay. */
export const SecretField = (props: Props) => (
  <PasswordField
    autoComplete="new-password"
    {...props}
    {...(props.value.trim() === props.value ? {} : { hint: t('field.outer_blanks'), hintStays: true })}
    rule="wifiKey"
  />
);

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
