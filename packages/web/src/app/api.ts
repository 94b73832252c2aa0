// Types of every endpoint, taken from the contract by type-only imports: the browser carries paths, never schemas.
import type { AnyEndpoint, api, DataOf, InputOf } from '@yunxun/contract';

type Groups = typeof api;
type Declared = { [G in keyof Groups]: Groups[G][keyof Groups[G]] }[keyof Groups];
type Endpoint = Extract<Declared, Pick<AnyEndpoint, 'path' | 'method' | 'body' | 'data'>>;

/** Every path of the API, as a literal. */
export type ApiPath = Endpoint['path'];
type At<P extends ApiPath> = Extract<Endpoint, { path: P }>;

/** What a call takes. */
export type Input<P extends ApiPath> = InputOf<At<P>>;
/** What a call answers in `data`. */
export type Data<P extends ApiPath> = DataOf<At<P>>;

/** Paths that are read with GET; the rest is POST. */
export type GetPath = Extract<Endpoint, { method: 'GET' }>['path'];
/** Paths whose answer carries `token` beside `data`. */
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
/** Paths that answer one page of a list. */
export type ListPath = {
  [P in ApiPath]: Data<P> extends { list: readonly unknown[]; total: number } ? P : never;
}[ApiPath];
/** A row of a list. */
export type Row<P extends ListPath> = Data<P> extends { list: readonly (infer R)[] } ? R : never;

/** The manifest of GET paths; a GET added to the contract and missing here does not compile. */
export const getPaths: Readonly<Record<GetPath, true>> = {
  '/api/v3/user': true,
  '/api/v3/logout': true,
  '/api/v3/sms_code_for_mobile/:mobile': true,
  '/api/v3/open/hidden_star_dialog': true,
};
