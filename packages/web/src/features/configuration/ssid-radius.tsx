import { t } from '../../app/i18n.ts';
import { CheckField, fieldError, PasswordField, TextField } from '../../ui/field.tsx';
import { NumberField, whole } from '../../ui/rule-fields.tsx';
import type { RadiusDraft, ServerDraft } from './draft.ts';

const ports = { min: 1024, max: 65_535 } as const;
const hostName = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

type Wrong = Partial<Record<'host' | 'port' | 'secret', string | null>>;
export interface RadiusWrong {
  auth?: Wrong;
  acct?: Wrong;
}

export const newServer = (port: number): ServerDraft => ({ host: '', port: String(port), secret_set: false });

/** Returns the errors of the RADIUS servers; null if valid or not enterprise security. */
export function radiusErrors({ auth, acct }: RadiusDraft): RadiusWrong | null {
  const wrong = { auth: serverErrors(auth), ...(acct && { acct: serverErrors(acct) }) };
  return [wrong.auth, wrong.acct].some((one) => one && Object.values(one).some(Boolean)) ? wrong : null;
}

function serverErrors({ host, port, secret = '', secret_set }: ServerDraft): Wrong {
  const range = whole(ports.min, ports.max);
  return {
    host: host === '' ? t('validation.required') : hostName.test(host) ? null : t('validation.invalid'),
    port: range.test(port) ? null : t('validation.between', ports),
    secret: secret === '' ? (secret_set ? null : t('validation.required')) : fieldError('printable', secret),
  };
}

export function RadiusFields({
  radius,
  wrong,
  onChange,
}: {
  radius: RadiusDraft;
  wrong: RadiusWrong | null;
  onChange: (radius: RadiusDraft) => void;
}) {
  const { auth, acct } = radius;
  return (
    <>
      <ServerFields
        title={t('wireless.radius_auth')}
        server={auth}
        wrong={wrong?.auth ?? {}}
        onChange={(server) => onChange({ ...radius, auth: server })}
      />
      <CheckField checked={acct !== null} onChange={(on) => onChange({ ...radius, acct: on ? newServer(1813) : null })}>
        {t('wireless.radius_acct_use')}
      </CheckField>
      {acct && (
        <ServerFields
          title={t('wireless.radius_acct')}
          server={acct}
          wrong={wrong?.acct ?? {}}
          onChange={(server) => onChange({ ...radius, acct: server })}
        />
      )}
    </>
  );
}

function ServerFields(props: {
  title: string;
  server: ServerDraft;
  wrong: Wrong;
  onChange: (server: ServerDraft) => void;
}) {
  const { server, wrong } = props;
  // a stored secret belongs to its server: changing the address requires it again
  const moved = (part: Partial<ServerDraft>) => props.onChange({ ...server, ...part, secret_set: false });
  return (
    <fieldset className="bands ssid-keys">
      <legend className="field-label">{props.title}</legend>
      <div className="pair">
        <TextField
          label={t('wireless.radius_host')}
          value={server.host}
          maxLength={253}
          hint={t('wireless.radius_host_hint')}
          error={wrong.host}
          onChange={(host) => moved({ host: host.trim() })}
        />
        <NumberField
          label={t('wireless.radius_port')}
          {...ports}
          value={server.port}
          error={wrong.port}
          onChange={(port) => moved({ port })}
        />
      </div>
      <PasswordField
        label={t('wireless.radius_secret')}
        autoComplete="new-password"
        rule="printable"
        maxLength={63}
        optional={server.secret_set}
        value={server.secret ?? ''}
        hint={server.secret_set ? t('wireless.radius_secret_keep') : t('wireless.radius_secret_new')}
        error={wrong.secret}
        onChange={(secret) => props.onChange({ ...server, secret })}
      />
    </fieldset>
  );
}
