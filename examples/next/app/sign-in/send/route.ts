import { RateLimitError } from '@zhiber/sdk';
import { showError } from '../../../lib/page.ts';
import { redirectHome } from '../../../lib/session.ts';
import { PURPOSE, RESEND_SECONDS, zhiber } from '../../../lib/zhiber.ts';

export async function POST(request: Request): Promise<Response> {
  const phone = String((await request.formData()).get('phone') ?? '');
  try {
    await zhiber().otp.send({ phone, purpose: PURPOSE });
  } catch (error) {
    if (!(error instanceof RateLimitError)) return showError({}, error);
    // A code is on its way already: the person may enter it.
    return showError({ phone, resendAt: after(error.retryAfter ?? 0) }, error);
  }
  return redirectHome({ phone, resendAt: after(RESEND_SECONDS) });
}

function after(seconds: number): number {
  return Date.now() + seconds * 1_000;
}
