import { isMobile, typedMobile } from '@yunxun/contract/typed-text';

export interface Person {
  issuer: string;
  subject: string;
  name: string;
  email: string | null;
  /** Verified by the provider; kept as a keyed hash only. */
  phone: string | null;
}

const maxName = 64;

export function shownName({ name, email, subject }: Person): string {
  const texts = [name, email ?? '', subject].map((text) => text.replace(/\p{Cc}/gu, '').trim());
  return (texts.find(Boolean) ?? '').slice(0, maxName);
}

export function mobileOf(text: unknown): string | null {
  const phone = typeof text === 'string' ? typedMobile(text) : '';
  return isMobile(phone) ? phone : null;
}
