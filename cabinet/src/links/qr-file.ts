import { qrPath, qrRows } from '../ui/qr/qr-squares.ts';

/** Large enough for a poster on a door; each square is a whole number of pixels. */
const PNG_SQUARE_PX = 24;

/** A picture that can be printed at any size. */
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

/** Drawn square by square: a picture from an address would need more than the page's policy allows. */
export async function qrPng(text: string): Promise<Blob> {
  const rows = qrRows(text);
  const canvas = document.createElement('canvas');
  canvas.width = rows.length * PNG_SQUARE_PX;
  canvas.height = canvas.width;
  const paper = canvas.getContext('2d');
  if (paper === null) throw new Error('this browser draws nothing');
  paper.fillStyle = '#ffffff';
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.fillStyle = '#000000';
  paper.scale(PNG_SQUARE_PX, PNG_SQUARE_PX);
  paper.fill(new Path2D(qrPath(rows)));
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)));
  });
}
