import { encode } from 'uqr';

const QUIET_ZONE = 4;

/** Always dark on light, whatever the theme: many scanners cannot read it the other way round. */
export function Qr({ text, label, size = 176 }: { text: string; label: string; size?: number }) {
  const { data: rows } = encode(text, { border: QUIET_ZONE, ecc: 'M' });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
      className="max-w-full rounded-control bg-white"
    >
      <path d={darkSquares(rows)} fill="#000000" />
    </svg>
  );
}

function darkSquares(rows: boolean[][]): string {
  return rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
}
