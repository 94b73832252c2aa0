export interface PersonKey {
  accountId: string;
  personId: string;
}
