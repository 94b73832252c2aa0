import type { Language } from './browser.ts';
import type { Product } from './product.ts';

export interface Person {
  token: string;
  email: string;
  password: string;
  bindingCode: string;
  call<T>(path: string, input?: object): Promise<T>;
}

export interface Answer {
  status: number;
  code: number;
  message: string;
  data: unknown;
  token?: string;
  errors?: Record<string, string[]>;
}

export async function ask(
  product: Pick<Product, 'url'>,
  path: string,
  input?: object,
  as: { token?: string; language?: Language } = {},
): Promise<Answer> {
  const response = await fetch(product.url + path, {
    method: input ? 'POST' : 'GET',
    headers: {
      localization: as.language ?? 'en',
      ...(input ? { 'content-type': 'application/json' } : {}),
      ...(as.token ? { authorization: `Bearer ${as.token}` } : {}),
    },
    ...(input ? { body: JSON.stringify(input) } : {}),
  });
  return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
}

export async function register(product: Product, email: string, password = 'first1234'): Promise<Person> {
  const sent = await ask(product, '/api/v3/register/get_email_code', { email });
  if (sent.code !== 2000) throw new Error(`no code for ${email}: ${sent.message}`);
  const code = product.code(email);
  const input = { email, email_code: code, password, confirm_password: password };
  const { token, message } = await ask(product, '/api/v3/register', input);
  if (!token) throw new Error(`${email} could not register: ${message}`);
  return known(product, { token, email, password });
}

export async function signIn(product: Pick<Product, 'url'>, email: string, password: string): Promise<Person> {
  const { token, message } = await ask(product, '/api/v3/login', { email, password });
  if (!token) throw new Error(`${email} could not sign in: ${message}`);
  return known(product, { token, email, password });
}

async function known(
  product: Pick<Product, 'url'>,
  person: Pick<Person, 'token' | 'email' | 'password'>,
): Promise<Person> {
  const { data } = await ask(product, '/api/v3/user', undefined, { token: person.token });
  return {
    ...person,
    bindingCode: (data as { account_code: string }).account_code,
    async call<T>(path: string, input?: object): Promise<T> {
      const answer = await ask(product, path, input, { token: person.token });
      if (answer.code !== 2000) throw new Error(`${path}: ${answer.code} ${answer.message}`);
      return answer.data as T;
    },
  };
}
