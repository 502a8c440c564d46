import { encode } from 'uqr';

/** The light border that scanners need to detect the code. */
const QUIET_ZONE = 4;

/** The rows of a QR code with its quiet zone; true is dark. */
export function qrRows(text: string): boolean[][] {
  return encode(text, { border: QUIET_ZONE, ecc: 'M' }).data;
}

/** The dark squares as an SVG path, one unit each. */
export function qrPath(rows: boolean[][]): string {
  return rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
}
