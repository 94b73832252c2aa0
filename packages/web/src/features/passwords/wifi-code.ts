/** Returns the Wi-Fi QR content with special characters escaped. */
export function wifiCode(ssid: string, password: string): string {
  const escaped = (text: string) => text.replace(/[\\;,:"]/g, '\\$&');
  return `WIFI:T:WPA;S:${escaped(ssid)};P:${escaped(password)};;`;
}
