import pino from 'pino';
import { isLoopback } from '../../channels/http/provider-answer.ts';
import type { Config } from '../../config/config.ts';
import { openPayments } from '../../payments/open-payments.ts';
import type { PaymentProvider } from '../../payments/payment.ts';
import { type Check, passed, warned } from './check.ts';
import type { DoctorTexts } from './doctor-texts.ts';

const CHECK_TIMEOUT_MS = 8_000;

/** Asks every configured way to pay whether it would take an order, without making one. */
export async function checkPayments(config: Config, texts: DoctorTexts): Promise<Check[]> {
  if (config.mode === 'sandbox') return [passed('payments', texts.sandboxBank)];
  const { providers, close } = await openPayments(config.payments, {
    isSandbox: false,
    log: pino({ level: 'silent' }),
    publicUrl: () => config.publicUrl ?? '',
  });
  if (providers.length === 0) return [passed('payments', texts.noPayments)];
  try {
    const checks = await Promise.all(providers.map((provider) => checkOne(provider, texts)));
    return [...checks, ...checkNotices(config, providers, texts)];
  } finally {
    await close();
  }
}

async function checkOne(provider: PaymentProvider, texts: DoctorTexts): Promise<Check> {
  const { ok, detail } = (await provider.check?.(AbortSignal.timeout(CHECK_TIMEOUT_MS))) ?? {
    ok: true,
    detail: texts.byOperator,
  };
  return { name: 'payments', ok, detail: `${provider.name}: ${detail}` };
}

/** External providers send notices only over HTTPS; one on this machine does not need it. */
function checkNotices(
  { publicUrl, payments }: Config,
  providers: readonly PaymentProvider[],
  texts: DoctorTexts,
): Check[] {
  if (publicUrl?.startsWith('https:') === true) return [];
  const reporting = providers.filter(({ name, readNotice }) => {
    const url = name === 'freedom-pay' ? payments[name]?.url : undefined;
    return readNotice !== undefined && url !== undefined && !isLoopback(url);
  });
  if (reporting.length === 0) return [];
  const names = reporting.map(({ name }) => name).join(', ');
  return [warned('callbacks', texts.noNotices(names))];
}
