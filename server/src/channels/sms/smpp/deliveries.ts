import type { Logger } from 'pino';
import type { RecordStop, ReportReceipt } from '../../provider.ts';
import { isStopWord } from '../../stop-word.ts';
import { STATUS_OK, TRY_LATER } from './command-status.ts';
import { readPersonMessage } from './incoming-text.ts';
import { listPlaces, type Place } from './places.ts';
import type { ReceiptTally } from './receipt-tally.ts';
import { readReceipt, type SmsReceipt } from './receipt-text.ts';
import type { TakeDelivery } from './session.ts';
import { envName, type FullSettings } from './settings.ts';

type DeliveryParts = {
  settings: FullSettings;
  tally: ReceiptTally;
  log: Logger;
  report: ReportReceipt;
  recordStop: RecordStop;
};

/**
 * Handles what a place delivers. What could not be stored is answered with `TRY_LATER`: the centre
 * sends it again.
 */
export function createDeliveryHandler(
  parts: DeliveryParts,
): (place: Pick<Place, 'tag'>) => TakeDelivery {
  const { settings, tally, recordStop } = parts;
  const warn = createFormWarning(parts);

  return (place) => {
    // Hosts of one account may pass receipts to each other; the own ids of each come first.
    const others = listPlaces(settings).map(({ tag }) => tag);
    const tags = [...new Set([place.tag, ...others])];
    const take = async (receipt: SmsReceipt) => {
      if (await isMatched(parts.report, tags, receipt)) return tally.match();
      tally.missMatch(receipt);
      warn();
    };
    return async (pdu) => {
      const found = readReceipt(pdu, settings);
      const written = found === undefined ? readPersonMessage(pdu) : undefined;
      try {
        if (found === 'unreadable' || (typeof found === 'object' && isUnproven(found))) {
          tally.missUse();
        } else if (typeof found === 'object') {
          await take(found);
        } else if (written !== undefined && isStopWord(written.text)) {
          await recordStop({ phone: written.phone });
        }
        return STATUS_OK;
      } catch {
        return TRY_LATER;
      }
    };
  };
}

/**
 * A person can type a receipt, but comes from a phone: one that names a phone counts only for a
 * message to that phone.
 */
function isUnproven({ isUnmarked, phone }: SmsReceipt): boolean {
  return isUnmarked === true && phone === undefined;
}

/** Reports a receipt until a message is found that it belongs to. */
async function isMatched(
  report: ReportReceipt,
  tags: readonly string[],
  { id, phone, receipt, reason }: SmsReceipt,
): Promise<boolean> {
  for (const tag of tags) {
    const reported = await report({ providerId: taggedId(tag, id), phone, receipt, reason });
    if (reported.isMatched) return true;
  }
  return false;
}

/** An id with the tag of the centre that gave it. */
export function taggedId(tag: string, id: string): string {
  return `${tag}/${id}`;
}

/** Why receipts match nothing, when the form of their ids explains it. */
export function idFormAdvice(settings: FullSettings, tally: ReceiptTally): string | undefined {
  const form = tally.betterForm();
  if (form === undefined) return undefined;
  return `Receipts match no message; they would with ${envName(settings, 'idForm')}=${form}.`;
}

/** Logs the advice once for each form. */
function createFormWarning({ settings, tally, log }: DeliveryParts): () => void {
  let told: string | undefined;
  return () => {
    const advice = idFormAdvice(settings, tally);
    if (advice === undefined || advice === told) return;
    told = advice;
    log.warn({ provider: settings.name, why: advice }, 'receipts match no message');
  };
}
