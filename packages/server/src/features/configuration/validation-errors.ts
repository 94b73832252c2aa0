import { type FieldError, Invalid } from '../../platform/failure.ts';

export class ValidationErrors {
  readonly #errors: Record<string, FieldError[]> = {};
  readonly #root: string;

  constructor(root = '') {
    this.#root = root;
  }

  add(field: string, key: string, params?: FieldError['params']): void {
    const name = this.#root + field;
    this.#errors[name] ??= [];
    this.#errors[name].push({ key, params });
  }

  /** @throws Invalid */
  settle(): void {
    if (Object.keys(this.#errors).length > 0) throw new Invalid(this.#errors);
  }
}
