/**
 * A cash register that reports sales to the tax authority: a small file that implements the protocol
 * of its operator. The id of a receipt makes every call repeatable.
 */
export type FiscalRegister = {
  readonly name: string;
  register(receipt: ReceiptToRegister, signal: AbortSignal): Promise<FiscalOutcome>;
  /** Ends the shift, which must not last longer than a day. */
  closeShift(signal: AbortSignal): Promise<ShiftOutcome>;
  close(): Promise<void>;
};

export type ReceiptToRegister = {
  /** The same for every try: the register takes it for one receipt. */
  id: string;
  amount: number;
  /** What was sold, on the receipt. */
  name: string;
  /** The rate of VAT in per cent; null for a seller that pays none. */
  vat: number | null;
  /** Set for a return: the sale that it belongs to. */
  sale?: SaleFacts | undefined;
};

/** What the register said about a sale, and a return of it has to repeat. */
export type SaleFacts = {
  number: string;
  /** As the register writes it. */
  at: string;
  total: number;
  registrationNumber: string;
  isOffline: boolean;
};

export type FiscalOutcome =
  | {
      result: 'registered';
      /** Where people can see it, if the register says. */
      url: string | null;
      facts: SaleFacts;
      /** A shift that had lasted too long was ended first. */
      hasClosedShift: boolean;
    }
  /** Nothing was registered. */
  | { result: 'refused'; reason: string }
  /** It may have been; the same receipt is tried again. */
  | { result: 'unclear'; reason: string };

export type ShiftOutcome = { result: 'closed' } | { result: 'failed'; reason: string };
