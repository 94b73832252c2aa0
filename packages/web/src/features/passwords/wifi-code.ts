import { isHexKey } from '@yunxun/contract/rules';

interface Wifi {
  ssid: string;
  password: string;
  hidden: boolean;
  wpa3_only: boolean;
}

/**
 * Returns the content of a Wi-Fi QR code. Source: WPA3 3.4, section 7, and what readers take: `SAE` for
 * WPA3 without WPA2, quotes around what may be read as hex.
 */
export function wifiCode({ ssid, password, hidden, wpa3_only: onlyWpa3 }: Wifi): string {
  const field = (text: string) => {
    const escaped = text.replace(/[\\;,:"]/g, '\\$&');
    return /^([\da-f]{2})+$/i.test(text) && !isHexKey(text) ? `"${escaped}"` : escaped;
  };
  return `WIFI:T:${onlyWpa3 ? 'SAE' : 'WPA'};S:${field(ssid)};P:${field(password)};${hidden ? 'H:true;' : ''};`;
}
