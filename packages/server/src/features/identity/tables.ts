import type { HomeSection, Locale, Permission, Role, Theme } from '@yunxun/contract';
import type { Generated } from 'kysely';

export interface IdentityTables {
  account: {
    account_id: string;
    name: string;
    binding_code: string;
    time_zone: Generated<string>;
    sdwan_status: Generated<boolean>;
    created_at: Generated<Date>;
  };
  person: {
    account_id: string;
    id: string;
    email: string | null;
    mobile: string | null;
    password_hash: string | null;
    qq: Generated<string>;
    theme: Generated<Theme>;
    home_section: Generated<HomeSection>;
    locale: Locale;
    created_at: Generated<Date>;
  };
  member: { account_id: string; person_id: string; role: Role; created_at: Generated<Date> };
  hosting_grant: {
    account_id: string;
    id: string;
    grantee_account_id: string;
    permissions: Permission[];
    gwids: string[] | null;
    created_at: Generated<Date>;
    revoked_at: Date | null;
  };
  user_session: {
    account_id: string;
    id: string;
    person_id: string;
    token_hash: Buffer;
    ip: string | null;
    user_agent: string | null;
    sliding_seconds: number;
    created_at: Generated<Date>;
    last_active_at: Generated<Date>;
  };
  login_directory: { kind: 'email' | 'mobile'; value: string; account_id: string; person_id: string };
  token_directory: { token_hash: Buffer; account_id: string; person_id: string; session_id: string; expires_at: Date };
  binding_directory: { code: string; account_id: string };
  installation: { key: string; value: unknown };
  verification_code: {
    channel: string;
    target: string;
    purpose: string;
    code_hash: Buffer;
    attempts: Generated<number>;
    sent_at: Date;
    expires_at: Date;
  };
  throttle: { key: string; count: number; expires_at: Date };
}
