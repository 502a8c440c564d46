import { qrPath, qrRows } from './qr-squares.ts';

/** Always dark on light, whatever the theme: many scanners cannot read inverted codes. */
export function Qr({ text, label, size = 176 }: { text: string; label: string; size?: number }) {
  const rows = qrRows(text);
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
      <path d={qrPath(rows)} fill="#000000" />
    </svg>
  );
}
