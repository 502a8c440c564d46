import { showError } from '../../../lib/page.ts';
import { readSession, redirectHome } from '../../../lib/session.ts';
import { PURPOSE, zhiber } from '../../../lib/zhiber.ts';

export async function POST(request: Request): Promise<Response> {
  const session = readSession(request);
  const { phone } = session;
  if (phone === undefined) return redirectHome({});
  const code = String((await request.formData()).get('code') ?? '');
  try {
    // Returns only when the code is right.
    await zhiber().otp.verify({ phone, code, purpose: PURPOSE });
  } catch (error) {
    return showError(session, error);
  }
  return redirectHome({ phone, isSignedIn: true });
}
