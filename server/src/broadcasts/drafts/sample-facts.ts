import type { RecipientFacts } from '@zhiber/contract/message/broadcast-text.ts';
import type { Context } from '../../context.ts';

/**
 * As long as real ones, so that the parts of an SMS are counted right; a token has this length from
 * some million rows to a quarter of a billion. They lead nowhere: nobody who tries a text may
 * unsubscribe one of its recipients.
 */
const SAMPLE_SLUG = 'Kd7mWq3x';
const SAMPLE_TOKEN = 'Kd7mWq3x9bTzP';

/** The links of a recipient who does not exist, with the cells of one who may. */
export function sampleFacts(
  { shortLinkBase }: Context['urls'],
  cells: readonly string[],
): RecipientFacts {
  return {
    cells,
    link: `${shortLinkBase}/${SAMPLE_SLUG}`,
    unsubscribeUrl: `${shortLinkBase}/u/${SAMPLE_TOKEN}`,
  };
}
