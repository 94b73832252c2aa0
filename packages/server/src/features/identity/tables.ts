import type {
  Area,
  Density,
  HomeLayout,
  HomeSection,
  Locale,
  logs,
  MemberRole,
  PageSize,
  Permission,
  Theme,
} from '@yunxun/contract';
import type { Generated } from 'kysely';

export type SignInMethod = (typeof logs.signInMethods)[number];

export interface IdentityTables {
  account: {
    account_id: string;
    name: string;
    binding_code: string;
    time_zone: Generated<string>;
    time_zone_from: string | null;
    sdwan_status: Generated<boolean>;
    /** New devices from the address of a site are confirmed. */
    trust_sites: Generated<boolean>;
    created_at: Generated<Date>;
    locked_at: Date | null;
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
    home_layout: HomeLayout;
    locale: Locale;
    created_at: Generated<Date>;
    name: Generated<string>;
    administers: Generated<boolean>;
    density: Generated<Density>;
    time_zone: string | null;
    page_size: Generated<PageSize>;
    password_changed_at: Date | null;
    withdrawal_hash: string | null;
    totp_sealed: Buffer | null;
    totp_pending_sealed: Buffer | null;
    totp_enabled_at: Date | null;
    /** Last consumed step: a code works once. */
    totp_last_step: number | null;
  };
  member: {
    account_id: string;
    person_id: string;
    person_account_id: string;
    role: MemberRole;
    role_id: string | null;
    gwids: string[] | null;
    created_at: Generated<Date>;
    last_active_at: Date | null;
  };
  account_role: {
    account_id: string;
    id: string;
    name: string;
    permissions: Permission[];
    created_at: Date;
    updated_at: Date;
  };
  hosting_grant: {
    account_id: string;
    id: string;
    grantee_account_id: string;
    permissions: Permission[];
    gwids: string[] | null;
    created_at: Generated<Date>;
    revoked_at: Date | null;
    last_used_at: Date | null;
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
    method: Generated<SignInMethod>;
    confirmed_at: Date | null;
  };
  login_directory: { kind: 'email' | 'mobile'; value: string; account_id: string; person_id: string };
  token_directory: {
    token_hash: Buffer;
    account_id: string;
    person_id: string;
    session_id: string;
    expires_at: Date;
    kind: Generated<'session' | 'api'>;
  };
  api_token: {
    account_id: string;
    id: string;
    person_id: string;
    name: string;
    scope: 'read' | 'write';
    areas: Area[] | null;
    gwids: string[] | null;
    created_at: Generated<Date>;
    expires_at: Date;
    last_used_at: Date | null;
    last_ip: string | null;
  };
  passkey: {
    account_id: string;
    id: string;
    person_id: string;
    credential_id: Buffer;
    public_key: Buffer;
    counter: number;
    transports: string[];
    name: string;
    created_at: Generated<Date>;
    last_used_at: Date | null;
  };
  passkey_directory: { credential_id: Buffer; account_id: string; passkey_id: string };
  /** Codes of one set share a salt. */
  recovery_code: { account_id: string; person_id: string; code_hash: Buffer; salt: Buffer };
  sign_in_ticket: {
    token_hash: Buffer;
    kind: 'second_factor' | 'passkey_login' | 'passkey_create';
    account_id: string | null;
    person_id: string | null;
    method: SignInMethod | null;
    remember: Generated<boolean>;
    challenge: string | null;
    password_hash: string | null;
    attempts: Generated<number>;
    expires_at: Date;
  };
  qr_login: {
    qruuid: string;
    code_hash: Buffer;
    ip: string;
    user_agent: string;
    state: Generated<'waiting' | 'confirmed' | 'refused'>;
    account_id: string | null;
    person_id: string | null;
    created_at: Date;
    expires_at: Date;
  };
  password_reset: {
    account_id: string;
    id: string;
    person_id: string;
    login: string;
    token_hash: Buffer;
    created_at: Date;
    expires_at: Date;
    used_at: Date | null;
  };
  known_place: { account_id: string; person_id: string; place: string; first_at: Date; last_at: Date };
  binding_directory: { code: string; account_id: string; code_id: string | null };
  verification_code: {
    channel: string;
    target: string;
    purpose: string;
    code_hash: Buffer;
    attempts: Generated<number>;
    sent_at: Date;
    expires_at: Date;
  };
}
