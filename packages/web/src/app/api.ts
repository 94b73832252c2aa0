// type-only imports: paths, no schemas in the bundle
import type { AnyEndpoint, api, DataOf, InputOf } from '@yunxun/contract';

type Groups = typeof api;
type Declared = { [G in keyof Groups]: Groups[G][keyof Groups[G]] }[keyof Groups];
type Endpoint = Extract<Declared, Pick<AnyEndpoint, 'path' | 'method' | 'body' | 'data'>>;

/** Built once: searching the union per call cost a minute of type checking. */
type ByPath = { [E in Endpoint as E['path']]: E };

export type ApiPath = keyof ByPath;

export type Input<P extends ApiPath> = InputOf<ByPath[P]>;
export type Data<P extends ApiPath> = DataOf<ByPath[P]>;

export type GetPath = Extract<Endpoint, { method: 'GET' }>['path'];
export type TokenPath = Extract<
  ApiPath,
  | '/api/v3/login'
  | '/api/v3/login/second_factor'
  | '/api/v3/login/passkey'
  | '/api/v3/sms_code/login'
  | '/api/v3/register_for_sms_code'
  | '/api/v3/register'
  | '/api/v3/check_qrcode_id'
  | '/api/v3/security/confirm'
>;
export type ListPath = {
  [P in ApiPath]: Data<P> extends { list: readonly unknown[]; total: number } ? P : never;
}[ApiPath];
export type Row<P extends ListPath> = Data<P> extends { list: readonly (infer R)[] } ? R : never;

/** Does not compile if one is missing. */
export const getPaths: Readonly<Record<GetPath, true>> = {
  '/api/v3/user': true,
  '/api/v3/logout': true,
  '/api/v3/sms_code_for_mobile/:mobile': true,
  '/api/v3/open/hidden_star_dialog': true,
};
