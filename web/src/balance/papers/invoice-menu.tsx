import { FileText } from 'lucide-react';
import { useState } from 'react';
import { addressOf } from '../../call.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { PaperMenuItems } from './paper-menu-items.tsx';
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
        <PaperMenuItems
          addressIn={(lang) => addressOf('invoiceFile', { params: { id }, query: { lang } })}
          onSend={() => setSending(true)}
        />
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
