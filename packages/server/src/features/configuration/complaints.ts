import { type Complaint, Invalid } from '../../platform/failure.ts';

/** Collects complaints by field; `root` stands before each field's path. */
export class Complaints {
  readonly #errors: Record<string, Complaint[]> = {};
  readonly #root: string;

  constructor(root = '') {
    this.#root = root;
  }

  add(field: string, key: string, params?: Complaint['params']): void {
    const name = this.#root + field;
    this.#errors[name] ??= [];
    this.#errors[name].push({ key, params });
  }

  /** @throws Invalid when there is any */
  settle(): void {
    if (Object.keys(this.#errors).length > 0) throw new Invalid(this.#errors);
  }
}
