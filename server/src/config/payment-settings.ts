import { address, type BlockSetting, optional, required, secret } from './block-setting.ts';
import { type BlockValues, type Given, isConfigured, readBlock } from './read-block.ts';
import { integerIn, matching } from './values.ts';

export type PaymentBlock = {
  name: PaymentBlockName;
  /** The heading of the block in `.env.example`. */
  title: string;
  settings: readonly BlockSetting[];
};

export type PaymentBlockName = 'seller' | 'freedom-pay' | 'kaspi' | 'merchant-qr' | 'webkassa';

const businessId = matching(/^\d{12}$/, 'should be 12 digits');
const vatRate = integerIn(1, 99);
const iban = matching(/^KZ[0-9A-Z]{18}$/, 'should be an IBAN of Kazakhstan: KZ and 18 characters');

export const PAYMENT_BLOCKS: readonly PaymentBlock[] = [
  {
    name: 'seller',
    title:
      'Your company, for invoices, receipts and acts. With a bank account, companies can also pay ' +
      'by bank transfer.',
    settings: [
      required('SELLER_NAME', 'name', 'The name of your company, as in its registration.'),
      { ...required('SELLER_BIN', 'businessId', 'Its БИН or ИИН.'), check: businessId },
      required('SELLER_ADDRESS', 'address', 'Its address.'),
      { ...optional('SELLER_IBAN', 'iban', 'Its bank account.'), check: iban },
      optional('SELLER_BANK', 'bank', 'The name of the bank.'),
      optional('SELLER_BIC', 'bic', 'The БИК of the bank.'),
      optional('SELLER_KBE', 'kbe', 'The КБе of your company.', '17'),
      optional('SELLER_KNP', 'knp', 'The КНП of a payment for services.', '859'),
      {
        ...optional('SELLER_VAT', 'vat', 'Its VAT rate in per cent; empty when it pays none.'),
        check: vatRate,
      },
    ],
  },
  {
    name: 'freedom-pay',
    title: 'Payments by Freedom Pay. Notices: PUBLIC_URL/payments/freedom-pay/result',
    settings: [
      required('FREEDOM_PAY_MERCHANT_ID', 'merchantId', 'The id of the merchant.'),
      secret('FREEDOM_PAY_SECRET', 'secret', 'The secret key that signs requests and notices.'),
      address('FREEDOM_PAY_URL', 'The address of the API.', 'https://api.freedompay.kz'),
    ],
  },
  {
    name: 'kaspi',
    title:
      'Payments by Kaspi QR. Built from what its users have published; the documentation is part of ' +
      'a contract.',
    settings: [
      secret('KASPI_API_KEY', 'apiKey', 'The API key of the trade point.'),
      required('KASPI_DEVICE_ID', 'deviceId', 'The id of the device, as you chose it.'),
      required('KASPI_TRADE_POINT_ID', 'tradePointId', 'The id of the trade point.'),
      address('KASPI_URL', 'The address of the API.', 'https://qrapi-key.kaspi.kz/r1/v01'),
    ],
  },
  {
    name: 'merchant-qr',
    title:
      'Payments by the static QR of a merchant. The payer types the amount and the reference; you ' +
      'confirm by the bank statement.',
    settings: [
      required('MERCHANT_QR', 'qr', 'What the QR encodes, usually an address of the bank.'),
      required('MERCHANT_QR_BANK', 'bank', 'The name of the bank, as people know it.'),
    ],
  },
  {
    name: 'webkassa',
    title: 'Fiscal receipts by Webkassa.',
    settings: [
      secret('WEBKASSA_API_KEY', 'apiKey', 'The key of the integrator.'),
      required('WEBKASSA_LOGIN', 'login', 'The login of the cashier.'),
      secret('WEBKASSA_PASSWORD', 'password', 'The password of the cashier.'),
      required('WEBKASSA_CASHBOX', 'cashbox', 'The number of the cash register, like SWK00000000.'),
      address('WEBKASSA_URL', 'The address of the API.', 'https://kkm.webkassa.kz'),
    ],
  },
];

/** The settings of a configured block by their names in its adapter; undefined for the others. */
export type PaymentConfig = Partial<Record<PaymentBlockName, BlockValues>>;

export function readPayments(given: Given, problems: string[]): PaymentConfig {
  const configured = PAYMENT_BLOCKS.filter(({ settings }) => isConfigured(settings, given));
  return Object.fromEntries(
    configured.map((block) => [block.name, readBlock(block, given, problems)]),
  );
}
