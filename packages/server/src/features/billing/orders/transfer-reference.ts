/** Crockford's base 32. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const [base, dataLength, groupLength, digits] = [32, 8, 3, 12];

/** ISO 7064, hybrid system MOD 33,32: finds each wrong character. */
function checkOf(data: readonly number[]): number {
  const product = data.reduce((before, value) => {
    const sum = (before + value) % base || base;
    return (2 * sum) % (base + 1);
  }, base);
  return (base + 1 - product) % base;
}

/** `YX-7K3-F92-QDM`: the random digits of an order's number and a check character. */
export function referenceOf(orderNo: string): string {
  const number = Number(orderNo.replaceAll(/\D/g, '').slice(-digits));
  const data = Array.from(
    { length: dataLength },
    (_none, at) => Math.floor(number / base ** (dataLength - 1 - at)) % base,
  );
  const text = [...data, checkOf(data)].map((value) => alphabet[value]).join('');
  return ['YX', ...text.match(new RegExp(`.{${groupLength}}`, 'g'))!].join('-');
}

/** Finds the reference in a remark, and returns the end of its order's number; null without a right one. */
export function orderEndOf(remark: string): string | null {
  const text = remark.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  for (const [, found = ''] of text.matchAll(new RegExp(`YX([${alphabet}]{${dataLength + 1}})`, 'g'))) {
    const values = [...found].map((character) => alphabet.indexOf(character));
    const data = values.slice(0, dataLength);
    if (checkOf(data) !== values[dataLength]) continue;
    return String(data.reduce((sum, value) => sum * base + value, 0)).padStart(digits, '0');
  }
  return null;
}
