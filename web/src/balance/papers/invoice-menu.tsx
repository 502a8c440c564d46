import { PAPER_LANGS } from '@zhiber/contract/cabinet/papers.ts';
import { FileText, Send } from 'lucide-react';
import { useState } from 'react';
import { addressOf } from '../../call.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Menu, MenuButton, MenuLine, MenuOutsideLink } from '../../ui/overlays/menu.tsx';
import { SendPaperDialog } from './send-paper-dialog.tsx';

/** The invoice by which an accountant pays an order. */
export function InvoiceMenu({ order }: { order: { id: string; reference: string } }) {
  const texts = useTexts().papers;
  const [isSending, setSending] = useState(false);
  const { id, reference } = order;
  return (
    <>
      <Menu
        align="start"
        button={
          <>
            <FileText aria-hidden="true" size={16} />
            {texts.invoice}
          </>
        }
        buttonClassName={buttonClass('plain')}
      >
        {PAPER_LANGS.map((lang) => (
          <MenuOutsideLink
            key={lang}
            download
            href={addressOf('invoiceFile', { params: { id }, query: { lang } })}
            icon={<FileText aria-hidden="true" size={16} />}
          >
            {texts.pdf[lang]}
          </MenuOutsideLink>
        ))}
        <MenuLine />
        <MenuButton icon={<Send aria-hidden="true" size={16} />} onClick={() => setSending(true)}>
          {texts.send}
        </MenuButton>
      </Menu>
      {isSending && (
        <SendPaperDialog
          paper={{ kind: 'invoice', id, title: texts.invoiceTitle(reference) }}
          onClose={() => setSending(false)}
        />
      )}
    </>
  );
}
