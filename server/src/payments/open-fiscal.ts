import type { PaymentConfig } from '../config/payment-settings.ts';
import type { FiscalRegister } from './fiscal.ts';
import { openWebkassa, type WebkassaSettings } from './webkassa.ts';

/** The cash register that is configured. A sandbox has none: nobody has paid there. */
export function openFiscalRegister(
  { webkassa }: PaymentConfig,
  { isSandbox }: { isSandbox: boolean },
): FiscalRegister | undefined {
  return webkassa === undefined || isSandbox
    ? undefined
    : openWebkassa(webkassa as WebkassaSettings);
}
