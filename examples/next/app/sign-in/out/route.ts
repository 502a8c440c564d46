import { redirectHome } from '../../../lib/session.ts';

export function POST(): Response {
  return redirectHome({});
}
