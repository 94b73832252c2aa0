/** As gateways reach it; null port: off. */
export interface RadiusAddress {
  host: string;
  auth: number | null;
  acct: number | null;
}
