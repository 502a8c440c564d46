import { qrPath, qrRows } from '../ui/display/qr-squares.ts';

/** Large enough to print as a poster; a whole number of pixels keeps the squares sharp. */
const PNG_SQUARE_PX = 24;

/** An SVG that can be printed at any size. */
export function qrSvg(text: string): string {
  const rows = qrRows(text);
  const side = rows.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`,
    `<rect width="${side}" height="${side}" fill="#ffffff"/>`,
    `<path d="${qrPath(rows)}" fill="#000000"/>`,
    '</svg>',
  ].join('');
}

/** Drawn on a canvas directly: the content security policy does not allow images from blob URLs. */
export async function qrPng(text: string): Promise<Blob> {
  const rows = qrRows(text);
  const canvas = document.createElement('canvas');
  canvas.width = rows.length * PNG_SQUARE_PX;
  canvas.height = canvas.width;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws nothing');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000000';
  context.scale(PNG_SQUARE_PX, PNG_SQUARE_PX);
  context.fill(new Path2D(qrPath(rows)));
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)));
  });
}
