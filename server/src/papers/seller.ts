import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';

/** The company that runs this installation, as its papers name it. */
export type Seller = {
  name: string;
  businessId: string;
  address: string;
  kbe: string;
  knp: string;
  bank: { iban: string; name: string; bic: string } | null;
  /** The rate of VAT in per cent; null for a company that pays none. */
  vat: number | null;
  /** No real company: papers of a sandbox are worth nothing. */
  isSample: boolean;
};

const SAMPLE: Seller = {
  name: 'ТОО «Образец Песочницы»',
  businessId: '000000000000',
  address: 'г. Алматы, ул. Примерная, 1',
  kbe: '17',
  knp: '859',
  bank: { iban: 'KZ00SAMPLE0000000000', name: 'АО «Учебный Банк»', bic: 'SAMPLEKZ' },
  vat: null,
  isSample: true,
};

/** Throws `seller_unknown` when the operator has not said who sells. */
export function readSeller({ config, channels }: Pick<Context, 'config' | 'channels'>): Seller {
  const values = config.payments.seller;
  if (channels.isSandbox) return values === undefined ? SAMPLE : sellerFrom(values, true);
  if (values === undefined) throw new Problem('seller_unknown');
  return sellerFrom(values, false);
}

function sellerFrom(values: Readonly<Record<string, string>>, isSample: boolean): Seller {
  const { name = '', businessId = '', address = '', kbe = '', knp = '', vat } = values;
  const { iban, bank = '', bic = '' } = values;
  return {
    name,
    businessId,
    address,
    kbe,
    knp,
    bank: iban === undefined ? null : { iban, name: bank, bic },
    vat: vat === undefined ? null : Number(vat),
    isSample,
  };
}

/** The VAT inside an amount, to the tiyn. */
export function vatIn(amount: number, rate: number): number {
  return Math.round((amount * 100 * rate) / (100 + rate)) / 100;
}

/** Several amounts of VAT, added without the error of decimal fractions. */
export function vatTotal(parts: readonly number[]): number {
  return parts.reduce((tiyn, part) => tiyn + Math.round(part * 100), 0) / 100;
}
