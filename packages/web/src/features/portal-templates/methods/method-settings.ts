import type { ReactNode } from 'react';
import type { Data, Input } from '../../../app/api.ts';
import type { Wrong } from '../../../ui/use-form.ts';

export type MethodShown = Data<'/api/v3/auth_template/detail'>['methods'][number];
type MethodInput = Input<'/api/v3/auth_template/create'>['methods'][number];

export type Typed = Readonly<Record<string, string>>;

export interface FieldsProps<T extends Typed> {
  typed: T;
  /** The server has a secret: an empty field keeps it. */
  kept: boolean;
  wrong: (field: string) => string | null | undefined;
  readOnly: boolean;
  onChange: (part: Partial<T>) => void;
}

export interface MethodSettings<T extends Typed = Typed> {
  empty: T;
  typedFrom(shown: MethodShown): T;
  inputFrom(typed: T): Partial<MethodInput>;
  errorsIn?(typed: T, kept: boolean): Wrong<string>;
  Fields(props: FieldsProps<T>): ReactNode;
}
