import { SMS_WIDE_SINGLE } from '@zhiber/contract/api/limits.ts';
import type { Company } from '@zhiber/contract/cabinet/company.ts';
import { codeText } from '@zhiber/contract/message/message-text.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { Card } from '../ui/display/card.tsx';

export type MessageStyle = Pick<Company, 'language' | 'brand'>;

const SAMPLE_CODE = '482913';

/** Uses the same function as the server, so the preview is exact. */
export function SmsPreview({ messageStyle }: { messageStyle: MessageStyle }) {
  const texts = useTexts().company;
  const text = codeText({ ...messageStyle, domain: null }, { channel: 'sms', code: SAMPLE_CODE });
  return (
    <Card title={texts.preview}>
      <div className="grid justify-items-start gap-3">
        <p
          lang={messageStyle.language === 'kk' ? 'kk' : 'ru'}
          className="max-w-72 rounded-card rounded-es-none bg-sunken px-4 py-2.5 break-words"
        >
          {text}
        </p>
        <p className="text-sm text-muted">{texts.previewLength(text.length, SMS_WIDE_SINGLE)}</p>
        <p className="text-sm text-muted">{texts.previewNote}</p>
        <LinkButton to="/app/keys">{texts.toKeys}</LinkButton>
      </div>
    </Card>
  );
}
