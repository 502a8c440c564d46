import { Download } from 'lucide-react';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Qr } from '../ui/display/qr.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { saveFile } from '../ui/save-file.ts';
import { scanUrl, withoutScheme } from './address.ts';
import { qrPng, qrSvg } from './qr-file.ts';

export type QrOf = { slug: string; short_url: string };

export function QrDialog({ link, onClose }: { link: QrOf; onClose: () => void }) {
  const texts = useTexts().links;
  return (
    <Dialog title={texts.qrTitle} onClose={onClose}>
      <div className="grid justify-items-center gap-3">
        <Qr text={scanUrl(link.short_url)} label={texts.qrOf(link.short_url)} size={256} />
        <p className="flex items-center gap-1 font-mono text-table break-all">
          {withoutScheme(link.short_url)}
          <CopyButton isIcon text={link.short_url} label={texts.copyLink} />
        </p>
        <QrDownloads link={link} />
      </div>
    </Dialog>
  );
}

export function QrDownloads({ link }: { link: QrOf }) {
  const texts = useTexts().links;
  const { slug, short_url } = link;
  const address = scanUrl(short_url);
  const saveSvg = () =>
    saveFile(`${slug}.svg`, new Blob([qrSvg(address)], { type: 'image/svg+xml' }));
  const savePng = async () => saveFile(`${slug}.png`, await qrPng(address));
  const icon = <Download aria-hidden="true" size={16} />;
  return (
    <div className="flex flex-wrap justify-center gap-2">
      <Button icon={icon} onClick={saveSvg} aria-label={texts.downloadAs('SVG')}>
        SVG
      </Button>
      <Button icon={icon} onClick={() => void savePng()} aria-label={texts.downloadAs('PNG')}>
        PNG
      </Button>
    </div>
  );
}
