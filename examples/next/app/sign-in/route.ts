import { showPage } from '../../lib/page.ts';
import { readSession } from '../../lib/session.ts';

export function GET(request: Request): Response {
  return showPage(readSession(request));
}
