/** What a phone reads to join a Wi-Fi: the special characters of its parts are escaped. */
export function wifiCode(ssid: string, password: string): string {
  const escaped = (text: string) => text.replace(/[\\;,:"]/g, '\\$&');
  return `WIFI:T:WPA;S:${escaped(ssid)};P:${escaped(password)};;`;
}
