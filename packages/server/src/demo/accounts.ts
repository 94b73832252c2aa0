import { randomBytes } from 'node:crypto';
import { linkIn } from '../platform/terminal.ts';
import type { Call } from './call.ts';
import { addDemoImage } from './firmware.ts';
import { guestVlan } from './guests.ts';
import type { MemoryFile } from './memory.ts';
import { newestMessage } from './outbox.ts';
import { accounts, type DemoAccount } from './world.ts';

export interface Owner {
  account: DemoAccount;
  accountId: string;
  bindingCode: string;
  token: string;
  call: Call;
  gwids: ReadonlyMap<string, string>;
}

/** Creates missing accounts and networks, and prints how to sign in. `isEmpty`: no networks. */
export async function openAccounts(
  { url, publicUrl, dataDir, isEmpty }: { url: string; publicUrl: string; dataDir: string; isEmpty: boolean },
  file: MemoryFile,
): Promise<Owner[]> {
  const { memory, save } = file;
  save();
  const owners: Owner[] = [];
  for (const account of accounts) {
    const { call, token, accountId, accountName, bindingCode } = await signIn(url, dataDir, account, memory.password);
    // a name that someone chose stays
    if (accountName === account.email) await call('/api/v3/account/update', { name: account.name });
    const gwids = new Map<string, string>();
    for (const {
      name,
      ssids,
      at: [lat, lng],
    } of isEmpty ? [] : account.shops) {
      if (memory.gwids[name] === undefined) {
        const { gwid } = await call<{ gwid: string }>('/api/v3/network/create', { remark: name });
        await call('/api/v3/map/place', { gwid, lat, lng });
        memory.gwids[name] = gwid;
      }
      gwids.set(name, memory.gwids[name]);
      memory.keys[name] ??= randomBytes(9).toString('base64url').replace(/[-_]/g, 'x');
      save();
      await setWireless(call, memory.gwids[name], ssids, memory.keys[name]);
    }
    if (!isEmpty) await addDemoImage(call);
    owners.push({ account, accountId, bindingCode, token, call, gwids });
    const link = linkIn(account.locale, publicUrl);
    console.log(`Demo account (${account.locale}): ${account.email}  password: ${memory.password}  ${link}`);
  }
  return owners;
}

/** Sets two SSIDs once; later changes are kept. */
async function setWireless(
  call: Call,
  gwid: string,
  [staff, guest]: readonly [string, string],
  key: string,
): Promise<void> {
  const { version } = await call<{ version: number }>('/api/v3/network/wireless/get', { gwid });
  if (version > 0) return;
  const ssid = {
    enabled: true,
    bands: ['2G', '5G'],
    hidden: false,
    maximum_clients: null,
    down_mbps: null,
    up_mbps: null,
  };
  const ssids = [
    {
      ...ssid,
      name: staff,
      security: 'psk2',
      key,
      vlan: null,
      isolate: false,
    },
    { ...ssid, name: guest, security: 'open', vlan: guestVlan, isolate: true },
  ];
  await call('/api/v3/network/wireless/save', { gwid, version, ssids, radios: [] });
}

export async function signIn(
  url: string,
  dataDir: string,
  account: Pick<DemoAccount, 'email' | 'locale'>,
  password: string,
) {
  const { email, locale } = account;
  const post = async (path: string, body: unknown, token?: string, inAccount?: string) => {
    const response = await fetch(url + path, {
      method: body === null ? 'GET' : 'POST',
      headers: {
        localization: locale,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(inAccount ? { account: inAccount } : {}),
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as { code: number; message: string; data: unknown; token?: string };
  };
  let answer = await post('/api/v3/login', { email, password });
  if (answer.code !== 2000) {
    const send = async () => (await post('/api/v3/register/get_email_code', { email })).code === 2000;
    const { code } = await newestMessage(dataDir, email, 'registerCode', send);
    answer = await post('/api/v3/register', { email, email_code: code, password, confirm_password: password });
  }
  const { token } = answer;
  if (!token) throw new Error(`the demo account ${email} cannot sign in: ${answer.message}`);
  const { data } = await post('/api/v3/user', null, token);
  const user = data as { account_id: string; account_name: string; account_code: string };
  return {
    accountId: user.account_id,
    accountName: user.account_name,
    bindingCode: user.account_code,
    token,
    call: callIn(),
    in: callIn,
  };

  function callIn(account?: string): Call {
    return async <T>(path: string, body: unknown): Promise<T> => {
      const { code, message, data } = await post(path, body, token, account);
      if (code !== 2000) throw new Error(`${path}: ${message}`);
      return data as T;
    };
  }
}
