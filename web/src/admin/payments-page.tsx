import { useQuery } from '@tanstack/react-query';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { Page } from '../ui/display/page.tsx';
import { queryOf } from './call.ts';
import { DeskTabs } from './desk-tabs.tsx';
import { OrderList } from './payments/order-list.tsx';
import { PaymentDetail } from './payments/payment-detail.tsx';
import { PaymentList } from './payments/payment-list.tsx';
import { PaymentQueue } from './payments/payment-queue.tsx';
import { StatementImport } from './payments/statement-import.tsx';
import type { SectionProps } from './section-address.ts';

/** `/admin/payments`: what waits; then all payments, all orders, and the import of a statement. */
export function PaymentsPage({ path }: SectionProps) {
  const { frame, payments: texts } = useAdminTexts();
  const [name = 'queue', id] = path;
  const { data } = useQuery(queryOf('paymentQueue'));
  const waiting =
    data === undefined
      ? 0
      : [data.orders, data.lines, data.notices, data.refunds, data.flagged, data.fiscal].reduce(
          (sum, { total }) => sum + total,
          0,
        );
  if (name === 'list' && id !== undefined) return <PaymentDetail key={id} id={id} />;
  return (
    <Page title={frame.sections.payments} lead={texts.lead}>
      <DeskTabs
        label={frame.sections.payments}
        section="payments"
        tabs={texts.tabs}
        counts={{ queue: waiting }}
      />
      {name === 'list' && <PaymentList />}
      {name === 'orders' && <OrderList />}
      {name === 'statement' && <StatementImport />}
      {name === 'queue' && <PaymentQueue />}
    </Page>
  );
}
