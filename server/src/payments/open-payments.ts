import type { Logger } from 'pino';
import type { PaymentConfig } from '../config/payment-settings.ts';
import { openMerchantQr } from './merchant-qr.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider, type PaymentProviderName } from './payment.ts';
import { withCircuit } from './payment-circuit.ts';
import type { SandboxBankDeps } from './sandbox-bank.ts';
import { openTransfer } from './transfer.ts';

/** What payment providers need from the rest of the server. */
export type PaymentTools = {
  log: Logger;
  /** The address of this service; known once it listens. */
  publicUrl(): string;
  /** Instead of the pause that a provider asks for between calls: tests inject a short one. */
  pauseMs?: number;
  /** What the bank of a sandbox needs. */
  bank?: Omit<SandboxBankDeps, 'publicUrl'>;
};

/** Undefined when the provider is not configured. The config reader has checked required fields. */
type Open = (
  config: PaymentConfig,
  tools: PaymentTools,
) => Promise<PaymentProvider | undefined> | PaymentProvider | undefined;

/** Adapters are loaded with their packages only where they are used: a start takes less time. */
const OPEN: Readonly<Record<PaymentProviderName, Open>> = {
  kaspi: async ({ kaspi: values }) => {
    if (values === undefined) return undefined;
    const { openKaspi } = await import('./kaspi.ts');
    const { url = '', apiKey = '', deviceId = '', tradePointId = '' } = values;
    return openKaspi({ url, apiKey, deviceId, tradePointId });
  },
  'freedom-pay': async ({ 'freedom-pay': values }, tools) => {
    if (values === undefined) return undefined;
    const { openFreedomPay } = await import('./freedom-pay.ts');
    const { url = '', merchantId = '', secret = '' } = values;
    return openFreedomPay({
      url,
      merchantId,
      secret,
      pauseMs: tools.pauseMs,
      get publicUrl() {
        return tools.publicUrl();
      },
    });
  },
  'merchant-qr': ({ 'merchant-qr': values }) =>
    values === undefined ? undefined : openMerchantQr({ qr: values.qr ?? '' }),
  transfer: ({ seller }) => (seller === undefined ? undefined : openTransfer(seller)),
  'sandbox-bank': async (_config, { bank, publicUrl }) => {
    if (bank === undefined) return undefined;
    const { openSandboxBank } = await import('./sandbox-bank.ts');
    return openSandboxBank({ ...bank, publicUrl });
  },
};

export type OpenedPayments = {
  /** In the order in which the page offers them. */
  providers: readonly PaymentProvider[];
  close(): Promise<void>;
};

/** In a sandbox only its own bank is open; otherwise every configured provider. */
export async function openPayments(
  config: PaymentConfig,
  { isSandbox, ...tools }: PaymentTools & { isSandbox: boolean },
): Promise<OpenedPayments> {
  const providers: PaymentProvider[] = [];
  for (const name of PAYMENT_PROVIDERS) {
    if (isSandbox !== (name === 'sandbox-bank')) continue;
    const provider = await OPEN[name](config, tools);
    if (provider !== undefined) providers.push(withCircuit(provider, tools.log));
  }
  return {
    providers,
    async close() {
      await Promise.all(providers.map((provider) => provider.close?.()));
    },
  };
}
