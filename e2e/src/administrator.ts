import { type Person, register } from './person.ts';
import type { startProduct } from './product.ts';

export async function claimInstallation(
  product: Awaited<ReturnType<typeof startProduct>>,
  person: Person,
): Promise<void> {
  const token = /\/install\?token=([\w-]+)/.exec(product.output())?.[1];
  if (!token) throw new Error('the console printed no set-up link');
  await person.call('/api/v3/install/claim', { token });
}

/** Registers and claims. A customer delegates a network, which creates a message. */
export async function registerAdministrator(
  product: Awaited<ReturnType<typeof startProduct>>,
  email: string,
): Promise<Person> {
  const administrator = await register(product, email);
  await claimInstallation(product, administrator);
  const customer = await register(product, `customer-of-${email}`);
  const { gwid } = await customer.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Teahouse' });
  await customer.call('/api/v3/hosting/grant', {
    login: email,
    gwids: [gwid],
    permissions: ['network.read', 'network.reboot', 'config.read'],
  });
  return administrator;
}
