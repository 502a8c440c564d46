import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { NoRight } from '../ui/display/empty-state.tsx';
import { Page } from '../ui/display/page.tsx';
import { useShortcut } from '../ui/overlays/shortcuts.tsx';
import { LinkList } from './link-list.tsx';
import { CreatedNote } from './new/created-note.tsx';
import { type CreatedLink, NewLinkForm } from './new/new-link-form.tsx';
import { QrDialog, type QrOf } from './qr-dialog.tsx';

export function LinksPage() {
  const texts = useTexts().links;
  return useRight('links.see') ? <Links /> : <NoRight title={texts.title} />;
}

function Links() {
  const texts = useTexts().links;
  const canChange = useRight('links.change');
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<CreatedLink>();
  const [qrOf, setQrOf] = useState<QrOf>();
  const open = () => {
    setCreated(undefined);
    setOpen(true);
  };
  const show = (link: CreatedLink) => {
    setOpen(false);
    setCreated(link);
  };
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={canChange && !isOpen && <NewLinkButton onPress={open} />}
    >
      {isOpen && <NewLinkForm onCreated={show} onClose={() => setOpen(false)} />}
      {created !== undefined && <CreatedNote link={created} onQr={() => setQrOf(created)} />}
      <LinkList
        onQr={setQrOf}
        firstUse={canChange && !isOpen ? <NewLinkForm onCreated={show} /> : undefined}
      />
      {qrOf !== undefined && <QrDialog link={qrOf} onClose={() => setQrOf(undefined)} />}
    </Page>
  );
}

function NewLinkButton({ onPress }: { onPress: () => void }) {
  const texts = useTexts().links;
  useShortcut('n', texts.newTitle, onPress);
  return (
    <Button look="primary" icon={<Plus aria-hidden="true" size={16} />} onClick={onPress}>
      {texts.newTitle}
    </Button>
  );
}
