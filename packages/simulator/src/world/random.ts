/** Reproducible random numbers: equal seed and label give the same sequence on every machine. */
export class Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: string) {
    this.#seed = seed;
    [this.#a, this.#b, this.#c, this.#d] = hash(seed);
    for (let warm = 0; warm < 12; warm += 1) this.next();
  }

  fork(label: string): Random {
    return new Random(`${this.#seed}/${label}`);
  }

  /** Returns 0 ≤ x < 1 ("small fast counter", 32 bits). */
  next(): number {
    const sum = (this.#a + this.#b + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  pick<T>(from: readonly T[]): T {
    const chosen = from[Math.floor(this.next() * from.length)];
    if (chosen === undefined) throw new Error('nothing to pick from');
    return chosen;
  }

  around(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }
}

export function hashOf(text: string): number {
  return hash(text)[0];
}

function hash(text: string): [number, number, number, number] {
  const mix = (start: number): number => {
    let value = start;
    for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 16_777_619);
    value = Math.imul(value ^ (value >>> 16), 0x85eb_ca6b);
    return (value ^ (value >>> 13)) >>> 0;
  };
  return [mix(0x811c_9dc5), mix(0x9e37_79b9), mix(0x2545_f491), mix(0x6c07_8965)];
}
