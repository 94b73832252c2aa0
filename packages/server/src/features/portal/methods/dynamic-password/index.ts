import { timingSafeEqual } from 'node:crypto';
import { typedCode } from '../../../../platform/crypto/codes.ts';
import { tokenHash } from '../../../../platform/crypto/index.ts';
import { Refused } from '../../refused.ts';
import type { Method } from '../method.ts';
import { guessAt, plain } from '../proof.ts';
import { dynamicPasswordOf } from './password.ts';

export const dynamicPassword: Method<'dynamic_password'> = {
  async prove({ secrets }, tx, { site, form, now }, method) {
    const { password: right } = await dynamicPasswordOf(tx, secrets, site, { every: method.every, now });
    if (!timingSafeEqual(tokenHash(typedCode(form.password ?? '')), tokenHash(right)))
      throw new Refused('wrong_password');
    return plain(method);
  },
  wrong: ['wrong_password'],
  guess: (guessing) => guessAt(guessing, 'dynamic_password'),
};
