import { timingSafeEqual } from 'node:crypto';
import { typedPassword } from '@yunxun/contract/typed-text';
import { tokenHash } from '../../../platform/crypto/index.ts';
import { Refused } from '../refused.ts';
import type { Method } from './method.ts';
import { guessAt, plain } from './proof.ts';

export const password: Method<'password'> = {
  async prove(_deps, _tx, { form }, method) {
    if (!timingSafeEqual(tokenHash(typedPassword(form.password ?? '')), tokenHash(method.password)))
      throw new Refused('wrong_password');
    return plain(method);
  },
  renews: true,
  wrong: ['wrong_password'],
  guess: (guessing) => guessAt(guessing, 'password'),
};
