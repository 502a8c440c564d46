/** What a file says about a provider; docs/provider-files.md describes the form of the file. */
import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { DocumentFormat, Place } from './place.ts';
import type { JsonTemplate, Template, XmlTemplate } from './template.ts';

export type FileContent = 'code' | 'code_with_link' | 'text' | 'broadcast';

export type ProviderDescription = {
  name: string;
  channel: Channel;
  carries: readonly FileContent[];
  /** The name that messages come from, unless the company has one. */
  sender: string | undefined;
  ratePerSecond: number | undefined;
  inFlightMax: number | undefined;
  /** It gives the same id to different messages over time. */
  idsRepeat: boolean;
  send: SendDescription;
  status: StatusDescription | undefined;
  receipts: ReceiptsDescription | undefined;
  balance: BalanceDescription | undefined;
  /** The names in `{{secret.NAME}}`, wherever they stand. */
  secretNames: readonly string[];
};

export type RequestDescription = {
  method: 'GET' | 'POST';
  origin: string;
  /** The path and what the address itself has as a query. */
  target: Template;
  query: Fields;
  headers: Fields;
  login: { user: Template; password: Template } | { bearer: Template } | undefined;
  body: BodyTemplate | undefined;
  /** The names of all its placeholders. */
  uses: ReadonlySet<string>;
};

export type Fields = readonly (readonly [name: string, value: Template])[];

export type BodyTemplate =
  | { kind: 'form'; fields: Fields }
  | { kind: 'json'; value: JsonTemplate }
  | { kind: 'xml'; template: XmlTemplate }
  | { kind: 'text'; template: Template };

/** All conditions of a list have to hold. */
export type Condition = { place: Place; values: ReadonlySet<string> };

export type FailureWord = 'refused' | 'unavailable' | 'unknown';
export type Failure = { result: FailureWord; reason: string };

export type SendDescription = {
  request: RequestDescription;
  /** A repeated `{{id}}` is answered in the same way and not sent again. */
  ignoresRepeats: boolean;
  answer: {
    document: DocumentFormat;
    /** Empty: the id alone shows it. */
    accepted: readonly Condition[];
    /** Undefined: our own reference identifies the message. */
    id: Place | undefined;
    /** Where the answer repeats our reference; another one is of another message. */
    reference: Place | undefined;
    error: Place | undefined;
    errors: ReadonlyMap<string, Failure>;
    otherErrors: Failure | undefined;
    failuresByHttpStatus: ReadonlyMap<number, Failure>;
  };
};

export type StatusMeaning =
  | { kind: 'sent' | 'delivered' | 'read' }
  | { kind: 'failed'; reason: string | undefined }
  /** Only as the answer to a question. */
  | { kind: 'refused'; reason: string };

export type StatusMeanings = ReadonlyMap<string, StatusMeaning>;

export type StatusDescription = {
  request: RequestDescription;
  /** It is asked by our reference, and not by the provider's id. */
  isByReference: boolean;
  answer: {
    document: DocumentFormat;
    status: Place;
    statuses: StatusMeanings;
    reason: Place | undefined;
    /** The provider's id; undefined when the question had it, or the provider has none. */
    id: Place | undefined;
    /** The provider never had the message; empty when it does not say so. */
    notFound: readonly Condition[];
  };
};

export type ReceiptsDescription = {
  document: DocumentFormat;
  /** Where the list of receipts is; undefined when there is one per call. */
  each: Place | undefined;
  /** What identifies the message: the provider's id, or our reference. */
  key: { by: 'id' | 'reference'; place: Place };
  status: Place;
  statuses: StatusMeanings;
  reason: Place | undefined;
  phone: Place | undefined;
  proof: ReceiptProof;
  answer: string;
};

export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];
export const SIGNATURE_ALGORITHMS = [
  'hmac-sha256',
  'hmac-sha1',
  'hmac-md5',
  'sha256',
  'sha1',
  'md5',
] as const;

export type ReceiptProof =
  /** The last part of the address that is called. */
  | { kind: 'path'; secret: Template }
  | {
      kind: 'signature';
      algorithm: SignatureAlgorithm;
      /** Of an HMAC. */
      key: Template | undefined;
      /** Of a template, placeholders are places in the callback, and secrets. */
      over: 'body' | readonly SignedPiece[];
      at: { header: string } | { place: Place };
      /** Before the signature, such as `sha256=`. */
      prefix: string;
      encoding: 'hex' | 'base64';
    };

export type SignedPiece = string | { place: Place } | { secret: string };

export type BalanceDescription = {
  request: RequestDescription;
  answer: { document: DocumentFormat; amount: Place; currency: string | undefined };
};
