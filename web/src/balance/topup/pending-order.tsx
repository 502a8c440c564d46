import { ExternalLink, type LucideIcon, Smartphone } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { AnchorButton } from '../../ui/controls/anchor-button.tsx';
import { Card } from '../../ui/display/card.tsx';
import { Qr } from '../../ui/display/qr.tsx';
import { Time } from '../../ui/display/time.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { InvoiceMenu } from '../papers/invoice-menu.tsx';
import { CopiedFacts } from './copied-facts.tsx';
import { CancelButton, ClaimButton } from './order-actions.tsx';
import { clockText, passedMark, useSecondsLeft } from './time-left.ts';
import type { Topup } from './use-topup.ts';

/** What to scan, open or type, and how long. */
export function PendingOrder({ order, readAt }: { order: Topup; readAt: number }) {
  const texts = useTexts().topup;
  if (!order.is_ready) {
    return (
      <Card title={texts.preparing}>
        <div className="grid gap-3 text-table">
          <p>{texts.preparingNote}</p>
          <div>
            <CancelButton id={order.id} />
          </div>
        </div>
      </Card>
    );
  }
  return (
    <Card>
      <div className="grid gap-5">
        <HowToPay order={order} />
        <WhatToPay order={order} />
        <TimeLeft order={order} readAt={readAt} />
        <p className="text-table text-muted">{texts.waiting}</p>
        <div className="flex flex-wrap gap-2">
          {order.can_claim && (
            <ClaimButton id={order.id} look={order.is_typed ? 'primary' : 'plain'} />
          )}
          <CancelButton id={order.id} />
        </div>
      </div>
    </Card>
  );
}

/** On a phone the button comes first: nobody scans their own screen. */
function HowToPay({ order }: { order: Topup }) {
  const texts = useTexts().topup;
  const format = useFormat();
  const { qr, pay_url: payUrl, bank, requisites, reference } = order;
  const money = format.money(order.amount);
  const scan = bank === null ? texts.scan : texts.scanIn(bank);
  return (
    <div className="grid gap-4">
      {payUrl !== null && (
        <div className="sm:hidden">
          <OpenBank payUrl={payUrl} label={texts.openBank} icon={Smartphone} isMain />
        </div>
      )}
      {qr !== null && (
        <div className="grid justify-items-center gap-3">
          <h2 className="text-center text-base">
            <span className={payUrl === null ? undefined : 'max-sm:hidden'}>{scan}</span>
            {payUrl !== null && <span className="sm:hidden">{texts.orScan}</span>}
          </h2>
          <Qr text={qr} label={texts.qrOf(money, reference)} size={240} />
        </div>
      )}
      {payUrl !== null && (
        <div className="justify-self-center max-sm:hidden">
          <OpenBank
            payUrl={payUrl}
            label={texts.openPage}
            icon={ExternalLink}
            isMain={qr === null}
          />
        </div>
      )}
      {requisites !== null && <TransferFacts order={order} requisites={requisites} />}
      {order.is_typed && <p className="text-table">{texts.typeIn}</p>}
    </div>
  );
}

function OpenBank(props: { payUrl: string; label: string; icon: LucideIcon; isMain: boolean }) {
  const { icon: Icon } = props;
  return (
    <AnchorButton
      href={props.payUrl}
      target="_blank"
      rel="noopener noreferrer"
      look={props.isMain ? 'primary' : 'plain'}
      className={props.isMain ? 'w-full' : ''}
      icon={<Icon aria-hidden="true" size={18} />}
    >
      {props.label}
    </AnchorButton>
  );
}

function TransferFacts(props: { order: Topup; requisites: NonNullable<Topup['requisites']> }) {
  const { order, requisites } = props;
  const texts = useTexts().topup;
  const fields = ['name', 'business_id', 'iban', 'bank', 'bic', 'kbe', 'knp'] as const;
  const facts = fields.flatMap((field) => {
    const shown = requisites[field];
    return shown === null ? [] : [{ name: texts.requisites[field], shown }];
  });
  const purpose = { name: texts.requisites.purpose, shown: texts.purpose(order.reference) };
  return (
    <div className="grid gap-3">
      <h2 className="text-base">{texts.byTransfer}</h2>
      <div>
        <InvoiceMenu order={order} />
      </div>
      <CopiedFacts
        rows={[...facts, purpose].map((fact) => ({ ...fact, copyLabel: texts.copyOf(fact.name) }))}
      />
    </div>
  );
}

function WhatToPay({ order: { amount, reference } }: { order: Topup }) {
  const texts = useTexts().topup;
  const format = useFormat();
  return (
    <CopiedFacts
      rows={[
        {
          name: texts.toPay,
          shown: format.money(amount),
          copied: String(amount),
          copyLabel: texts.copyAmount,
          isLarge: true,
        },
        { name: texts.reference, shown: reference, copyLabel: texts.copyReference },
      ]}
    />
  );
}

/** A longer time is told by its end: nobody watches hours pass. */
const COUNTED_SECONDS_MAX = 2 * 3_600;

function TimeLeft({ order, readAt }: { order: Topup; readAt: number }) {
  const texts = useTexts().topup;
  const left = useSecondsLeft({ secondsLeft: order.seconds_left, at: readAt });
  useReadOut(left);
  const isCounted = left <= COUNTED_SECONDS_MAX;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-table">
      <span className="text-muted">{isCounted ? texts.timeLeft : texts.payUntil}</span>
      {isCounted ? (
        <span role="timer" aria-live="off" className="text-lg font-semibold">
          {clockText(left)}
        </span>
      ) : (
        <Time at={order.expires_at} as="timeToMinute" />
      )}
    </p>
  );
}

function useReadOut(left: number): void {
  const texts = useTexts().topup;
  const { announce } = useToasts();
  const before = useRef(left);
  useEffect(() => {
    const mark = passedMark(before.current, left);
    before.current = left;
    if (mark === undefined) return;
    announce(mark === 0 ? texts.timeIsOver : texts.minutesLeft(Math.ceil(left / 60)));
  }, [left, texts, announce]);
}
