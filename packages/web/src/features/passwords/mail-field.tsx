import { t } from '../../app/i18n.ts';
import { useRead } from '../../app/use-call.ts';
import { fieldError, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';

export const maxEmails = 10;

export const emailsIn = (text: string) => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,，;；]+/)
      .filter(Boolean),
  ),
];

export function wrongEmails(text: string): string | null {
  const emails = emailsIn(text);
  if (emails.length > maxEmails) return t('validation.maxItems', { max: maxEmails });
  const wrong = emails.find((email) => fieldError('email', email) !== null);
  return wrong === undefined ? null : t('password_rule.email_wrong', { email: wrong });
}

export function MailField(props: {
  value: string;
  error: string | null | undefined;
  onChange: (value: string) => void;
}) {
  const { data } = useRead('/api/v3/open/installation', {});
  return (
    <>
      <TextField
        label={t('password_rule.emails')}
        hint={t('password_rule.emails_hint', { max: maxEmails })}
        hintStays
        inputMode="email"
        value={props.value}
        error={props.error}
        onChange={props.onChange}
      />
      {data?.outbox_email && (
        <p className="notice notice-warn">
          <Icon name="alert" size={16} />
          <span>{t('password_rule.no_mail')}</span>
        </p>
      )}
    </>
  );
}
