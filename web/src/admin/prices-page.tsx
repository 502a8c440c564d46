import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { Page } from '../ui/display/page.tsx';
import { DeskTabs } from './desk-tabs.tsx';
import { PriceTables } from './prices/price-tables.tsx';
import { SenderNames } from './prices/sender-names.tsx';
import type { SectionProps } from './section-address.ts';

/** `/admin/prices`: the prices of everybody with their history; then the sender names of SMS. */
export function PricesPage({ path }: SectionProps) {
  const { frame, prices: texts } = useAdminTexts();
  return (
    <Page title={frame.sections.prices} lead={texts.lead}>
      <DeskTabs label={frame.sections.prices} section="prices" tabs={texts.tabs} />
      {path[0] === 'senders' ? <SenderNames /> : <PriceTables />}
    </Page>
  );
}
