export type PlaceKind = 'office' | 'hotel' | 'shop';

const curves: Readonly<Record<PlaceKind, readonly number[]>> = {
  office: [
    0.04, 0.03, 0.03, 0.03, 0.03, 0.04, 0.06, 0.15, 0.45, 0.7, 0.78, 0.76, 0.55, 0.66, 0.76, 0.76, 0.72, 0.62, 0.4,
    0.22, 0.14, 0.1, 0.07, 0.05,
  ],
  hotel: [
    0.6, 0.55, 0.52, 0.5, 0.5, 0.52, 0.58, 0.66, 0.6, 0.45, 0.34, 0.3, 0.34, 0.36, 0.36, 0.38, 0.42, 0.48, 0.56, 0.66,
    0.74, 0.78, 0.76, 0.7,
  ],
  shop: [
    0.05, 0.04, 0.04, 0.04, 0.04, 0.04, 0.05, 0.08, 0.14, 0.3, 0.44, 0.55, 0.66, 0.6, 0.52, 0.54, 0.6, 0.68, 0.76, 0.74,
    0.6, 0.4, 0.16, 0.08,
  ],
};

/** Alternating kinds keep part of a fleet busy at every hour. */
export const placeKinds: readonly PlaceKind[] = ['hotel', 'office', 'shop'];

/** Returns the share (0…1), interpolated between hours. `hoursEast` is the UTC offset. */
export function presence(kind: PlaceKind, atMs: number, hoursEast: number): number {
  const hours = (atMs / 3_600_000 + hoursEast) % 24;
  const hour = Math.floor(hours);
  const curve = curves[kind];
  const here = curve[hour] ?? 0;
  const next = curve[(hour + 1) % 24] ?? here;
  return here + (next - here) * (hours - hour);
}
